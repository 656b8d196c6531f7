; Bags from sets and back.
(set-logic ALL)
(declare-const a (Bag Int))
(declare-const s (Set Int))
(assert (= s (set.insert 5 (bag.to_set (bag 4 2)))))
(assert (= (bag.from_set (set.singleton 4)) (bag.duplicate_removal a)))
(assert (bag.member 4 a))
(assert (= (bag.count 4 a) (+ 2 (bag.count 4 (bag.from_set (set.singleton 5))))))
(check-sat)
