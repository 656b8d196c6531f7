; Each value is of exactly one class.
(set-logic QF_FP)
(declare-const x (_ FloatingPoint 2 4))
(define-fun n ((p Bool)) Bool p)
(assert (xor (fp.isNormal x) (fp.isSubnormal x) (fp.isZero x) (fp.isInfinite x) (fp.isNaN x) true))
(assert (or (fp.isNegative x) (fp.isPositive x) (n (fp.isNaN x))))
(check-sat)
