; The least number above a bound with a property, by its definition.
(set-logic LIA)
(declare-const m Int)
(declare-const b Int)
(define-fun good ((x Int)) Bool (and (> x b) (= (mod x 3) 1)))
(assert (good m))
(assert (forall ((x Int)) (=> (good x) (<= m x))))
(assert (not (<= (- m b) 3)))
(check-sat)
