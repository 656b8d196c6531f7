; Pi between fractions, and a root.
(set-logic QF_NRAT)
(declare-const r Real)
(assert (= r (sqrt 2.0)))
(assert (or (< real.pi 3.14) (> real.pi (/ 22.0 7.0)) (> r 1.5)))
(check-sat)
