; Elements with at least two images.
(set-logic ALL)
(set-option :sets-ext true)
(declare-const r (Set (Tuple Int Int)))
(declare-const x Int)
(assert (set.member (tuple x) (rel.join_image r 2)))
(assert (set.subset r (set.insert (tuple 1 1) (tuple 1 2) (set.singleton (tuple 2 2)))))
(assert (distinct x 2))
(check-sat)
