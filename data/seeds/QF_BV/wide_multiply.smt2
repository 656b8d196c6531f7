; Multiplication by the top bit of 65.
(set-logic QF_BV)
(declare-const x (_ BitVec 65))
(declare-const y (_ BitVec 65))
(assert (= (bvmul x #b10000000000000000000000000000000000000000000000000000000000000000) y))
(assert (distinct y (_ bv0 65)))
(assert (= ((_ extract 0 0) x) ((_ extract 64 64) y)))
(assert (bvult x (_ bv36893488147419103231 65)))
(check-sat)
