; A monotone function on three bits that is its own inverse.
(set-logic UFBV)
(declare-fun f ((_ BitVec 3)) (_ BitVec 3))
(assert (forall ((x (_ BitVec 3)) (y (_ BitVec 3))) (=> (bvule x y) (bvule (f x) (f y)))))
(assert (forall ((x (_ BitVec 3))) (= (f (f x)) x)))
(assert (distinct (f #b101) #b101))
(check-sat)
