; Division by zero under a quantifier.
(set-logic BV)
(declare-const a (_ BitVec 4))
(assert (forall ((x (_ BitVec 4))) (bvuge (bvudiv x a) (bvurem x a))))
(assert (exists ((x (_ BitVec 4))) (distinct (bvsdiv x a) (bvudiv x a))))
(check-sat)
