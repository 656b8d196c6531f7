; A difference of different numbers is not zero.
(set-logic QF_FP)
(declare-const x (_ FloatingPoint 3 4))
(declare-const y (_ FloatingPoint 3 4))
(declare-const r RoundingMode)
(assert (fp.isZero (fp.sub r x y)))
(assert (not (fp.eq x y)))
(check-sat)
