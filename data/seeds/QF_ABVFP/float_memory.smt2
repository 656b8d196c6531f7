; Floats kept in a memory of words.
(set-logic QF_ABVFP)
(declare-const m (Array (_ BitVec 2) (_ BitVec 7)))
(declare-const i (_ BitVec 2))
(define-fun at ((a (_ BitVec 2))) (_ FloatingPoint 3 4) ((_ to_fp 3 4) (select m a)))
(assert (fp.lt (at i) (at (bvadd i #b01)) (at (bvadd i #b10))))
(assert (= (at (bvadd i #b11)) (fp.add RNE (at i) (at (bvnot i)))))
(assert (fp.isSubnormal (at i)))
(check-sat)
