; Every number is even or odd, by quantified halves.
(set-logic LIA)
(declare-const k Int)
(assert (forall ((x Int)) (exists ((y Int)) (or (= x (* 2 y)) (= x (+ (* 2 y) 1) )))))
(assert (forall ((y Int)) (and (distinct k (* 2 y)) (distinct k (+ (* 4 y) 1)))))
(assert (<= 0 k 10))
(check-sat)
