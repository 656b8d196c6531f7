; A circle and a hyperbola.
(set-logic QF_NRA)
(declare-const x Real)
(declare-const y Real)
(assert (= (+ (* x x) (* y y)) 2.0))
(assert (= (* x y) (/ 1.0 2.0)))
(assert (> x y))
(check-sat)
