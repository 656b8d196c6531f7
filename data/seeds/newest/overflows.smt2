; Needs z3 4.12.2, cvc5 1.0.9: overflow of negation, division, product and sum.
(set-logic QF_BV)
(declare-const v (_ BitVec 5))
(declare-const w (_ BitVec 5))
(assert (or (bvnego v) (bvsdivo v w)))
(assert (bvsmulo v w))
(assert (not (bvuaddo (bvnot v) w)))
(check-sat)
