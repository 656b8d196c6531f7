; Inverse functions with their ranges.
(set-logic QF_NRAT)
(declare-const x Real)
(declare-const y Real)
(assert (= y (arctan x)))
(assert (or (> y 2.0) (< y (- 2.0)) (> (arcsin (/ 1.0 2.0)) 2.0)))
(check-sat)
