; An array that is zero but for one place.
(set-logic ALIA)
(declare-const a (Array Int Int))
(declare-const k Int)
(assert (forall ((i Int)) (or (= i k) (= (select a i) 0))))
(assert (> (+ (select a 1) (select a 2)) (select a 3) 0))
(check-sat)
