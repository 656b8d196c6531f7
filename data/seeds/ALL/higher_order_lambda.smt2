; A lambda applied, and compared at two points.
(set-logic HO_ALL)
(declare-const a Int)
(declare-const b Int)
(define-fun twice ((f (-> Int Int)) (x Int)) Int (f (f x)))
(assert (= (twice (lambda ((y Int)) (+ y a)) b) 7))
(assert (= (@ (lambda ((y Int)) (- y a)) b) 1))
(assert (distinct a b 0))
(check-sat)
