; An odd width: multiplication by odd constants can be undone.
(set-logic QF_BV)
(declare-const x (_ BitVec 13))
(declare-const y (_ BitVec 13))
(assert (= (bvmul x (_ bv7 13)) y))
(assert (= (bvmul y (_ bv3511 13)) (bvadd x (_ bv1 13))))
(assert (bvult (bvurem y (_ bv100 13)) (bvudiv x (_ bv13 13))))
(check-sat)
