; The transitive closure of a relation, and its joins.
(set-logic ALL)
(declare-const r (Set (Tuple Int Int)))
(assert (set.member (tuple 1 2) r))
(assert (set.member (tuple 2 3) r))
(assert (not (set.member (tuple 1 3) (rel.tclosure r))))
(check-sat)
