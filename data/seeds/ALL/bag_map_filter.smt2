; Functions over bags: mapping, filtering, folding.
(set-logic HO_ALL)
(declare-const a (Bag Int))
(declare-const b (Bag Int))
(assert (= a (bag.union_disjoint (bag 1 2) (bag 2 1))))
(assert (= b (bag.map (lambda ((x Int)) (- x 1)) a)))
(assert (= (bag.count 0 (bag.filter (lambda ((x Int)) (< x 1)) b)) 2))
(assert (= (bag.fold (lambda ((x Int) (y Int)) (+ x y)) 10 a) 14))
(check-sat)
