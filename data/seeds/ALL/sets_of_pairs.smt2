; A relation joined with its own transposition.
(set-logic ALL)
(declare-const r (Set (Tuple Int Int)))
(declare-const s (Set (Tuple Int Int)))
(assert (= s (rel.join r (rel.transpose r))))
(assert (set.member (tuple 1 2) r))
(assert (not (set.member (tuple 1 1) s)))
(check-sat)
