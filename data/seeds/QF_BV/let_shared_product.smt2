; A product shared by let, with names that shadow the variables.
(set-logic QF_BV)
(declare-const x (_ BitVec 7))
(declare-const y (_ BitVec 7))
(assert (let ((x (bvmul x y)) (y (bvadd x y)))
  (let ((z (bvudiv x y)) (x (bvurem x y)))
    (and (= (bvadd (bvmul z y) x) (bvmul z x)) (bvugt z (_ bv2 7)) (distinct x y)))))
(assert (bvult x y))
(check-sat)
