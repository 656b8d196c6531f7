; Needs z3 5.0, no logic: a union is no larger than its parts together.
(declare-const s (FiniteSet Int))
(declare-const t (FiniteSet Int))
(assert (= (set.size s) 2))
(assert (= (set.size t) 3))
(assert (> (set.size (set.union s t)) 5))
(check-sat)
