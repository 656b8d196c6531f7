; Projections that repeat a column.
(set-logic ALL)
(declare-const t (Tuple Int Int))
(declare-const u (Tuple Int))
(assert (= ((_ tuple.project 0 1 0) t) (tuple 1 2 (+ 1 ((_ tuple.select 0) u)))))
(assert (distinct u ((_ tuple.project 0) ((_ tuple.update 0) t 0))))
(check-sat)
