; RUN: parse
; EXPECT-ERROR: 4:14: error: 'f' cannot take (Bool Int): it is (f Int Bool)
(declare-fun f (Int Bool) Int)
(assert (= 0 (f true 1)))
