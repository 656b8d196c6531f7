; Sums over the rows of a relation, group by group.
(set-logic HO_ALL)
(declare-const r (Set (Tuple Int Int)))
(declare-const a (Set Int))
(define-fun add ((t (Tuple Int Int)) (n Int)) Int (+ n ((_ tuple.select 1) t)))
(assert (= r (set.insert (tuple 1 2) (set.singleton (tuple 1 3)))))
(assert (= a ((_ rel.aggr 0) add 0 r)))
(check-sat)
