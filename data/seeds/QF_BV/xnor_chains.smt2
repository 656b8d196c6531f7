; Gates with many arguments and their complements.
(set-logic QF_BV)
(declare-const a (_ BitVec 5))
(declare-const b (_ BitVec 5))
(declare-const c (_ BitVec 5))
(assert (= (bvxnor (bvxnor a b) c) (bvxor (bvxor a b) c)))
(assert (= (bvnand a (bvnor b c)) (bvor (bvnot a) b c)))
(assert (distinct a b c (bvand a b c) (_ bv0 5)))
(check-sat)
