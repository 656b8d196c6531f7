; Bags of strings: both unions, the intersection and counts.
(set-logic ALL)
(declare-const a (Bag String))
(declare-const b (Bag String))
(assert (= (bag.union_disjoint a b) (bag.union_max a b)))
(assert (= (bag.count "x" a) 2))
(assert (>= (bag.count "x" b) 1))
(assert (bag.subbag (bag "y" 1) (bag.inter_min a a)))
(check-sat)
