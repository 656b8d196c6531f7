; RUN: parse
; EXPECT-ERROR: ...
(declare-fun f (Int Int) Bool)
(assert (f 1))
