; Remainders under a quantifier, with a modulus of either sign.
(set-logic LIA)
(declare-const c Int)
(assert (forall ((x Int)) (= (mod (+ x c) (- 5)) (mod x 5))))
(assert (exists ((x Int)) (and (= (div x 2) (div c 5)) (= (mod x 2) 1))))
(assert (< 0 c 12))
(check-sat)
