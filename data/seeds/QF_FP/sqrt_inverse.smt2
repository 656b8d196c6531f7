; The square of a root under opposite roundings.
(set-logic QF_FP)
(declare-const x (_ FloatingPoint 3 5))
(assert (fp.gt (fp.mul RTN (fp.sqrt RTN x) (fp.sqrt RTN x)) x))
(assert (not (fp.isZero x)))
(check-sat)
