; Rounding a small negative number gives minus zero.
(set-logic QF_FP)
(declare-const x Float16)
(assert (fp.lt (fp #b1 #b01110 #b0000000000) x (_ +zero 5 11)))
(assert (or (= (fp.roundToIntegral RNE x) (_ +zero 5 11))
  (fp.isPositive (fp.roundToIntegral roundTowardZero x))
  (not (fp.isZero (fp.roundToIntegral RTP x)))))
(check-sat)
