; A tangent between bounds, and its relation to sine and cosine.
(set-logic QF_NRAT)
(declare-const x Real)
(declare-const y Real)
(assert (< 0.1 x 0.2))
(assert (= y (tan x)))
(assert (or (< (sin x) 0.0) (> (cos x) 1.1) (= (sec y) 0.5)))
(check-sat)
