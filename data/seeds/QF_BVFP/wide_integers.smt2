; Integers wider than the significand, signed and unsigned.
(set-logic QF_BVFP)
(declare-const n (_ BitVec 13))
(assert (= ((_ to_fp 5 4) RTZ n) (fp.neg ((_ to_fp_unsigned 5 4) RTZ (bvneg n)))))
(assert (not (fp.eq ((_ to_fp 5 4) RTP n) ((_ to_fp 5 4) RTN n))))
(assert (= ((_ extract 12 11) n) #b10))
(check-sat)
