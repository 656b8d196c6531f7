; Multipliers that reach every value: alternation over four bits.
(set-logic BV)
(declare-const a (_ BitVec 4))
(assert (forall ((b (_ BitVec 4))) (exists ((c (_ BitVec 4))) (= (bvmul a c) b))))
(assert (distinct a #x1 #xf))
(assert (bvslt a #x0))
(check-sat)
