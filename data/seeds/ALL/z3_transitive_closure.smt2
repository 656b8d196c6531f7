; The transitive closure of a declared relation, in z3 with no logic set.
(declare-sort U 0)
(declare-fun r (U U) Bool)
(declare-const a U)
(declare-const b U)
(declare-const c U)
(assert (and (r a b) (r b c)))
(assert (not ((_ transitive-closure r) a c)))
(check-sat)
