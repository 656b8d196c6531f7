; Differences, duplicates and single elements of bags.
(set-logic ALL)
(declare-const a (Bag Int))
(declare-const b (Bag Int))
(assert (= (bag.difference_subtract a b) (bag.difference_remove a b)))
(assert (= (bag.count 1 a) 3))
(assert (= (bag.count 1 b) 2))
(assert (distinct a (as bag.empty (Bag Int))))
(check-sat)
