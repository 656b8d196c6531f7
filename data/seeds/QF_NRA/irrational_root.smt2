; A root of two between close rational bounds.
(set-logic QF_NRA)
(declare-const x Real)
(declare-const y Real)
(assert (= (* x x) 2.0))
(assert (< 1.41421 x 1.41422))
(assert (= y (- x (/ 99.0 70.0))))
(assert (< (* y y) 0.0001))
(check-sat)
