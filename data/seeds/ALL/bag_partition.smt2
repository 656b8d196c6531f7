; A bag divided by an equivalence.
(set-logic HO_ALL)
(declare-const a (Bag Int))
(declare-const p (Bag (Bag Int)))
(assert (= a (bag.union_disjoint (bag 1 1) (bag 3 1))))
(assert (= p (bag.partition (lambda ((x Int) (y Int)) (= (mod x 2) (mod y 2))) a)))
(check-sat)
