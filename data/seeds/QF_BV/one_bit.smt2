; Signed arithmetic on a single bit.
(set-logic QF_BV)
(declare-const x (_ BitVec 1))
(declare-const y (_ BitVec 1))
(assert (bvslt x y))
(assert (= (bvmul x y) (bvsdiv x y)))
(assert (= (bvsmod y x) (bvadd x y)))
(check-sat)
