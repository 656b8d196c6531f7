; RUN: parse
; EXPECT-ERROR: ...
(declare-fun f (Int Bool) Int)
(assert (= 0 (f true 1)))
