; Sets of integers and their cardinalities.
(set-logic ALL)
(declare-const a (Set Int))
(declare-const b (Set Int))
(assert (set.subset a (set.union b (set.singleton 0))))
(assert (= (set.card a) (+ 1 (set.card b))))
(assert (not (set.member 0 b)))
(assert (distinct (set.minus a b) (set.inter a (set.insert 1 0 (as set.empty (Set Int))))))
(check-sat)
