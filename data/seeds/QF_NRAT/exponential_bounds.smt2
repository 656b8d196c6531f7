; The exponential is positive.
(set-logic QF_NRAT)
(declare-const x Real)
(declare-const y Real)
(assert (= y (exp x)))
(assert (or (<= y 0.0) (< y (- x))))
(assert (> x 0.5))
(check-sat)
