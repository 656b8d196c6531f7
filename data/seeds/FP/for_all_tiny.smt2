; A neutral element of addition for all tiny floats.
(set-logic FP)
(declare-const z (_ FloatingPoint 3 3))
(assert (forall ((x (_ FloatingPoint 3 3))) (= (fp.add RNE x z) x)))
(assert (fp.isPositive z))
(check-sat)
