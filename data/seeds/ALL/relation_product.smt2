; Products, transpositions and identities of relations.
(set-logic ALL)
(declare-const r (Set (Tuple Int Int)))
(declare-const s (Set (Tuple Int)))
(declare-const t (Set (Tuple Int Int)))
(assert (= t (rel.product s s)))
(assert (set.member (tuple 1 2) (set.inter r (rel.transpose t))))
(assert (not (set.member (tuple 2 1) (rel.join t t))))
(check-sat)
