; A quadratic that is positive everywhere, by its discriminant.
(set-logic NRA)
(declare-const b Real)
(assert (forall ((x Real)) (> (+ (* x x) (* b x) 1.0) 0.0)))
(assert (>= (* b b) 4.0))
(check-sat)
