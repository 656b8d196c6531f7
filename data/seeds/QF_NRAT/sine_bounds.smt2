; A sine above one, an exponential and a cosine.
(set-logic QF_NRAT)
(declare-const x Real)
(assert (> (sin x) (/ 3.0 2.0)))
(assert (<= (exp x) 1.0))
(assert (= (cos (- x)) (* 2.0 (cos x))))
(check-sat)
