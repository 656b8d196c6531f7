; Signed remainder against signed modulo at the least value.
(set-logic QF_BV)
(declare-const a (_ BitVec 4))
(declare-const b (_ BitVec 4))
(assert (distinct (bvsrem a b) (bvsmod a b)))
(assert (= (bvadd (bvmul (bvsdiv a b) b) (bvsrem a b)) (bvneg (bvneg a))))
(assert (= a #x8))
(assert (bvsle b (bvnot #x0)))
(check-sat)
