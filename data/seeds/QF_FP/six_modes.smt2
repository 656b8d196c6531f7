; There are five rounding modes.
(set-logic QF_FP)
(declare-const p RoundingMode)
(declare-const q RoundingMode)
(declare-const x Float32)
(assert (distinct p q RNA RTP RTZ))
(assert (distinct p RNE))
(assert (or (distinct p RTN) (not (= (fp.abs x) (fp.abs (fp.neg x))))))
(check-sat)
