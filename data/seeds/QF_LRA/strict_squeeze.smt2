; Strict bounds that leave little room.
(set-logic QF_LRA)
(declare-const x Real)
(declare-const y Real)
(assert (< 0.0 x 0.0000001))
(assert (< y (* 0.5 x)))
(assert (> (* 3.0 y) x))
(assert (or (= x (* 2.5 y)) (= (+ x y) (/ 1.0 3.0))))
(check-sat)
