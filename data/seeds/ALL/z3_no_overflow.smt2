; The multiplication predicates of z3 at the limits of four bits.
(set-logic ALL)
(declare-const x (_ BitVec 4))
(declare-const y (_ BitVec 4))
(assert (bvumul_noovfl x y))
(assert (not (bvsmul_noovfl x y)))
(assert (=> (bvsmul_noudfl x y) (bvugt (bvmul x y) #x8)))
(assert (distinct x y #x1))
(check-sat)
