; Needs z3 5.0, no logic: too many different subsets of a set of one.
(declare-const a (FiniteSet Int))
(declare-const b (FiniteSet Int))
(declare-const c (FiniteSet Int))
(assert (distinct a b c))
(assert (set.subset a b))
(assert (set.subset (set.union b c) (set.singleton 7)))
(check-sat)
