; A function on slices, with slices of its results.
(set-logic QF_UFBV)
(declare-fun f ((_ BitVec 3)) (_ BitVec 5))
(declare-const x (_ BitVec 5))
(assert (= (f ((_ extract 2 0) x)) x))
(assert (= (f ((_ extract 4 2) x)) (bvnot x)))
(assert (= (f ((_ extract 2 0) (f ((_ extract 4 2) x)))) (bvmul x x)))
(check-sat)
