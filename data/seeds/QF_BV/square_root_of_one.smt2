; Square roots of one modulo a power of two.
(set-logic QF_BV)
(declare-const x (_ BitVec 10))
(assert (= (bvmul x x) (_ bv1 10)))
(assert (distinct x (_ bv1 10) (bvneg (_ bv1 10))))
(assert (bvslt x (_ bv511 10)))
(assert (= ((_ extract 8 8) x) (bvnot ((_ extract 9 9) x))))
(check-sat)
