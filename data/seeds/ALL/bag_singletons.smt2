; Bags with one element, by their cardinality.
(set-logic ALL)
(declare-const a (Bag String))
(assert (= (bag.card (bag "x" 3)) (+ 1 (bag.card (bag.union_disjoint (bag "y" 1) (bag "x" 1))))))
(assert (bag.is_singleton (bag "a" 1)))
(assert (= (bag.choose (bag "a" 2)) "a"))
(assert (bag.subbag a (bag "a" 2)))
(assert (distinct a (bag.duplicate_removal a)))
(check-sat)
