; A function of one bit has at most two values.
(set-logic QF_UFBV)
(declare-fun f ((_ BitVec 1)) (_ BitVec 7))
(declare-const a (_ BitVec 1))
(declare-const b (_ BitVec 1))
(declare-const c (_ BitVec 1))
(assert (distinct (f a) (bvadd (f b) (_ bv1 7)) (_ bv0 7)))
(assert (distinct (f a) (f b) (f c)))
(check-sat)
