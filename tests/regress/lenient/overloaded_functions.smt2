; The same name with other argument sorts is another function.
; RUN: parse --print
(declare-fun f (Int) Int)
(declare-fun f (Bool) Int)
(assert (= (f 1) (f true)))
(check-sat)
