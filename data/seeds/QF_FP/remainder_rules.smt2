; The remainder is at most half of the divisor, and exact.
(set-logic QF_FP)
(declare-const x (_ FloatingPoint 3 4))
(declare-const y (_ FloatingPoint 3 4))
(define-fun r () (_ FloatingPoint 3 4) (fp.rem x y))
(assert (not (fp.isNaN r)))
(assert (fp.gt (fp.add RTZ (fp.abs r) (fp.abs r)) (fp.abs y)))
(assert (not (fp.isSubnormal y)))
(check-sat)
