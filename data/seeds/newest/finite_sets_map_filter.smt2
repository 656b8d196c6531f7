; Needs z3 5.0, no logic: a shifted set, and what is left of it.
(declare-const s (FiniteSet Int))
(declare-const t (FiniteSet Int))
(declare-const a (Array Int Bool))
(assert (= t (set.map (lambda ((x Int)) (+ x 1)) s)))
(assert (set.in 3 s))
(assert (not (set.in 3 (set.filter a s))))
(check-sat)
