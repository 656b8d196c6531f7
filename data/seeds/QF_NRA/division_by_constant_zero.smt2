; A division whose divisor is the constant zero.
(set-logic QF_NRA)
(declare-const x Real)
(declare-const y Real)
(assert (= (/ x 0.0) (+ y 1.0)))
(assert (= (/ y 0.0) (- y 1.0)))
(assert (or (= x y) (> (/ 1.0 0.0) (* 2.0 x))))
(check-sat)
