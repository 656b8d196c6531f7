; Cardinalities of unions and intersections.
(set-logic ALL)
(declare-const s (Set Int))
(declare-const t (Set Int))
(assert (= (+ (set.card s) (set.card t)) 5))
(assert (= (set.card (set.union s t)) (+ 1 (set.card (set.inter s t)))))
(assert (set.subset (set.insert 1 2 (set.singleton 3)) (set.union s t)))
(check-sat)
