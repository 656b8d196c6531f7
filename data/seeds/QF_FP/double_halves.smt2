; Double precision: a half of a sum that overflows.
(set-logic QF_FP)
(declare-const x Float64)
(declare-const y Float64)
(assert (and (fp.isNormal x) (fp.isNormal y)))
(assert (fp.isInfinite (fp.add RNE x y)))
(assert (fp.eq x y))
(assert (fp.isNegative (fp.min x y)))
(check-sat)
