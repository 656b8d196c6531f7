; A single bit as a signed and as an unsigned number.
(set-logic QF_BVFP)
(declare-const b (_ BitVec 1))
(declare-const x (_ FloatingPoint 3 4))
(assert (= x ((_ to_fp 3 4) RNE b)))
(assert (fp.eq (fp.neg x) ((_ to_fp_unsigned 3 4) RNE b)))
(assert (= ((_ fp.to_sbv 3) RTZ x) ((_ sign_extend 2) b)))
(assert (=> (= b #b1) (fp.isNegative x)))
(check-sat)
