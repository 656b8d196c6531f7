; Bounds on a product from bounds on its factors.
(set-logic QF_NIA)
(declare-const x Int)
(declare-const y Int)
(assert (and (<= 2 x 7) (<= (- 3) y (- 1))))
(assert (or (> (* x y) (- 2)) (< (* x y) (- 21)) (= (* x x y) 5)))
(check-sat)
