; An element that is least in the signed order and greatest in the shifted one.
(set-logic BV)
(declare-const m (_ BitVec 3))
(assert (forall ((x (_ BitVec 3))) (and (bvsle m x) (bvule (bvsub x m) (bvnot (_ bv0 3))))))
(assert (forall ((x (_ BitVec 3))) (=> (bvslt x (_ bv0 3)) (bvugt x (bvadd m (_ bv1 3))))))
(check-sat)
