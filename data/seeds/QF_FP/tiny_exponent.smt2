; A tiny format: sums, products and remainders that meet.
(set-logic QF_FP)
(declare-const x (_ FloatingPoint 3 5))
(declare-const y (_ FloatingPoint 3 5))
(assert (= (fp.add RNE x y) (fp.mul RNE x y)))
(assert (fp.isNormal (fp.sub RTZ x y)))
(assert (not (fp.isInfinite y)))
(assert (fp.leq (fp.roundToIntegral RTN y) (fp.rem y x)))
(check-sat)
