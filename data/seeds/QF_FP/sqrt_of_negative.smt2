; The root of minus zero is minus zero, that of other negatives is NaN.
(set-logic QF_FP)
(declare-const x (_ FloatingPoint 4 5))
(declare-const r RoundingMode)
(assert (fp.isNegative x))
(assert (not (fp.isNaN (fp.sqrt r x))))
(assert (fp.isPositive (fp.div r (fp #b0 #b0111 #x0) (fp.sqrt r x))))
(check-sat)
