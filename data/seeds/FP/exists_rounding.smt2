; A pair of floats on which all rounding modes agree.
(set-logic FP)
(declare-const x (_ FloatingPoint 3 3))
(declare-const y (_ FloatingPoint 3 3))
(assert (forall ((m RoundingMode)) (= (fp.div m x y) (fp.div RNE x y))))
(assert (exists ((m RoundingMode)) (not (= (fp.add m x y) (fp.add RTZ x y)))))
(check-sat)
