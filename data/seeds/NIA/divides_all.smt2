; A number that divides its successor's square for all multipliers.
(set-logic NIA)
(declare-const d Int)
(assert (> d 0))
(assert (exists ((k Int)) (= (* k d) (+ d 1))))
(assert (forall ((x Int)) (=> (= (mod x d) 0) (= (mod (* 2 x) d) 0))))
(check-sat)
