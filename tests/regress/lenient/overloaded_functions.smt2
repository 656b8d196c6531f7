; The same name with other argument sorts is another function.
; RUN: parse --print
; EXPECT: (set-logic ALL)
; EXPECT: (declare-fun f (Int) Int)
; EXPECT: (declare-fun f (Bool) Int)
; EXPECT: (assert (= (f 1) (f true)))
; EXPECT: (check-sat)
(declare-fun f (Int) Int)
(declare-fun f (Bool) Int)
(assert (= (f 1) (f true)))
(check-sat)
