; A quotient of polynomials at and near its pole.
(set-logic QF_NRA)
(declare-const x Real)
(declare-const y Real)
(assert (= y (/ (- (* x x) 1.0) (- x 1.0))))
(assert (distinct y (+ x 1.0)))
(assert (> (/ y 2.0) 3.0))
(check-sat)
