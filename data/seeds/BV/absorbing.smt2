; An absorbing element for all bit-vectors, found through a division by zero.
(set-logic BV)
(declare-const m (_ BitVec 6))
(assert (forall ((x (_ BitVec 6))) (= (bvand (bvor x m) m) (bvudiv m (bvsub m m)))))
(assert (exists ((y (_ BitVec 6))) (bvult (bvshl y (_ bv1 6)) (bvlshr y (_ bv1 6)))))
(check-sat)
