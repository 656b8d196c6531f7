; A sorted stretch of an array whose ends are out of order.
(set-logic AUFLIA)
(declare-const a (Array Int Int))
(declare-const n Int)
(assert (forall ((i Int) (j Int))
  (=> (and (<= 0 i) (<= i j) (< j n)) (<= (select a i) (select a j)))))
(assert (= n 4))
(assert (> (select a 0) (select a 3)))
(check-sat)
