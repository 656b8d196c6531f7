; Quantifiers and let that shadow the same names.
(set-logic LIA)
(declare-const x Int)
(assert (exists ((x Int)) (and (> x 3) (forall ((x Int)) (=> (< x 0) (<= x (- 1)))))))
(assert (forall ((y Int)) (let ((x (+ x y)) (y (- y))) (or (> x y) (<= (+ x 1) (+ y 1))))))
(assert (< x 0))
(check-sat)
