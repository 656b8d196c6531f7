; The sign of a product of three reals.
(set-logic QF_NRA)
(declare-const x Real)
(declare-const y Real)
(declare-const z Real)
(assert (< (* x y z) 0.0))
(assert (> (* x y) 0.0))
(assert (or (>= z 0.0) (= (* z z) (- 1.0))))
(check-sat)
