; An integer literal in a Real position is a Real literal; an Int term gets to_real.
; RUN: parse --print
(declare-const r Real)
(declare-const i Int)
(declare-fun f (Real Real) Real)
(assert (< r 1))
(assert (= (+ r 2) (* 3 r) (/ 1 3)))
(assert (> (f 1 i) (- 5)))
(assert (= r i))
(assert (distinct r (ite (> i 0) 1 r)))
(assert (<= 0 r i 10))
(check-sat)
