; RUN: parse
; EXPECT-ERROR: 4:9: error: the asserted term has sort (-> Int Bool), not Bool
(declare-fun f (Int Int) Bool)
(assert (f 1))
