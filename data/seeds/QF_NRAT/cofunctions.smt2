; The reciprocal functions at a bounded place.
(set-logic QF_NRAT)
(declare-const x Real)
(assert (< 0.5 x 1.0))
(assert (or (= (csc x) 0.5) (= (sec x) (- 0.5))))
(check-sat)
