; Arrays given by lambda.
(set-logic ALL)
(declare-const a (Array Int Int))
(declare-const k Int)
(define-fun sq () (Array Int Int) (lambda ((x Int)) (+ x (select a x))))
(assert (= (select sq k) (select sq (+ k 1))))
(assert (= a (lambda ((x Int)) (- 3 x))))
(assert (distinct (select (store sq k 4) k) (+ k 4)))
(check-sat)
