; A function squeezed between products.
(set-logic UFNIA)
(declare-fun sq (Int) Int)
(declare-const a Int)
(assert (forall ((x Int)) (! (= (sq x) (* x x)) :pattern ((sq x)))))
(assert (= (sq a) 49))
(assert (distinct a 7 (- 7)))
(check-sat)
