; The least subnormal halved under two ways of breaking ties.
(set-logic QF_FP)
(declare-const x (_ FloatingPoint 4 4))
(define-fun half () (_ FloatingPoint 4 4) (fp #b0 #b0110 #b000))
(assert (fp.isSubnormal x))
(assert (fp.isPositive x))
(assert (fp.isZero (fp.mul RNE x half)))
(assert (not (fp.isZero (fp.mul RNA x half))))
(check-sat)
