; RUN: parse
; EXPECT-ERROR: 4:8: error: the asserted term has sort (-> Int Bool), not Bool
(declare-fun f (Int) Bool)
(assert f)
