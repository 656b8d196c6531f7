; An array that maps a range into itself without a value twice.
(set-logic ALIA)
(declare-const a (Array Int Int))
(assert (forall ((i Int)) (! (=> (<= 0 i 2) (<= 0 (select a i) 2)) :pattern ((select a i)))))
(assert (forall ((i Int) (j Int)) (=> (and (<= 0 i) (< i j) (<= j 2))
  (distinct (select a i) (select a j)))))
(assert (and (= (select a 0) 1) (= (select a 1) 0) (distinct (select a 2) 2)))
(check-sat)
