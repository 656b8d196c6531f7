; Reductions of all bits to one.
(set-logic ALL)
(declare-const x (_ BitVec 5))
(declare-const y (_ BitVec 5))
(assert (= (bvredor x) (bvredand y)))
(assert (= (bvand (bvredor (bvnot x)) (bvredor y)) (bvredor (bvxor x y)) #b1))
(assert (distinct (bvadd x y) (bvmul x y) (_ bv0 5)))
(assert (= ((_ sign_extend 4) (bvredand (bvor x y))) (bvsub x (bvneg x))))
(check-sat)
