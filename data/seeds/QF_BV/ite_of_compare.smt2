; Results of comparisons as bits, in arithmetic.
(set-logic QF_BV)
(declare-const x (_ BitVec 3))
(declare-const y (_ BitVec 3))
(define-fun bit ((p Bool)) (_ BitVec 1) (ite p #b1 #b0))
(assert (= (concat (bit (bvult x y)) (bit (bvslt x y)) (bvcomp x y)) (bvxor x y)))
(assert (= ((_ repeat 3) (bvcomp (bvmul x y) #b010)) (bvsub x y)))
(check-sat)
