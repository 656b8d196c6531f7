; Needs z3 5.0, no logic: the overlap of two ranges.
(declare-const s (FiniteSet Int))
(declare-const n Int)
(declare-const k Int)
(assert (= s (set.intersect (set.range 1 n) (set.range k 8))))
(assert (set.in 5 s))
(assert (not (set.in 4 s)))
(assert (< k n))
(check-sat)
