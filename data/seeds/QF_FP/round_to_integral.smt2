; Ties of all five rounding modes.
(set-logic QF_FP)
(declare-const x (_ FloatingPoint 3 5))
(declare-const m RoundingMode)
(assert (not (= (fp.roundToIntegral RNE x) (fp.roundToIntegral RNA x))))
(assert (= (fp.roundToIntegral m x) (fp.roundToIntegral RNE x)))
(assert (fp.lt (fp.roundToIntegral RTP x) (_ +zero 3 5)))
(assert (distinct m RNE roundNearestTiesToAway))
(check-sat)
