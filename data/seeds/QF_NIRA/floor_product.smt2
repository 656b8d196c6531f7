; The floor of a product against the product of floors.
(set-logic QF_NIRA)
(declare-const x Real)
(declare-const y Real)
(declare-const n Int)
(assert (= n (to_int (* x y))))
(assert (and (<= 1.0 x 2.0) (<= 1.0 y 2.0)))
(assert (< n (* (to_int x) (to_int y))))
(check-sat)
