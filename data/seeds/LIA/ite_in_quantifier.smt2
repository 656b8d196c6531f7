; A maximum as a quantified upper bound that is reached.
(set-logic LIA)
(declare-const x Int)
(declare-const y Int)
(declare-const m Int)
(assert (forall ((z Int)) (= (and (>= z x) (>= z y)) (>= z m))))
(assert (distinct m (ite (> x y) x y)))
(check-sat)
