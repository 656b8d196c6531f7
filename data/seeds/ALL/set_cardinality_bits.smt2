; Sets over a finite sort cannot be too large.
(set-logic ALL)
(set-option :sets-ext true)
(declare-const s (Set (_ BitVec 1)))
(declare-const t (Set (_ BitVec 1)))
(assert (= (set.card s) 2))
(assert (not (set.subset t s)))
(assert (>= (set.card (set.union s t)) 2))
(check-sat)
