; Groups, projections and aggregates of a relation.
(set-logic HO_ALL)
(declare-const r (Set (Tuple Int Int)))
(declare-const g (Set (Set (Tuple Int Int))))
(assert (= r (set.insert (tuple 1 2) (set.singleton (tuple 1 3)))))
(assert (= g ((_ rel.group 0) r)))
(assert (set.member (tuple 3) ((_ rel.project 1) r)))
(check-sat)
