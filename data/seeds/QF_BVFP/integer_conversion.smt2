; A signed byte that does not survive a small float.
(set-logic QF_BVFP)
(declare-const x (_ BitVec 8))
(declare-const f (_ FloatingPoint 4 5))
(assert (= f ((_ to_fp 4 5) RNE x)))
(assert (distinct ((_ fp.to_sbv 8) RTZ f) x))
(assert (fp.leq f ((_ to_fp_unsigned 4 5) RTP #x60)))
(assert (not (fp.isInfinite f)))
(check-sat)
