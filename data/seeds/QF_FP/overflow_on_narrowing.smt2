; Narrowing overflows to infinity or to the greatest number, by the mode.
(set-logic QF_FP)
(declare-const x Float32)
(declare-const m RoundingMode)
(assert (not (fp.isInfinite x)))
(assert (fp.isInfinite ((_ to_fp 5 11) m x)))
(assert (= ((_ to_fp 5 11) RTZ x) (fp #b1 #b11110 #b1111111111)))
(assert (or (= m RTP) (= m RTZ) (fp.gt x (fp.neg ((_ to_fp 8 24) RNE 65520.0)))))
(check-sat)
