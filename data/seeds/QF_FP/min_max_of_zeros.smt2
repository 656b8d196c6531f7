; Extrema of NaN and of numbers; the zeros are left aside.
(set-logic QF_FP)
(declare-const x (_ FloatingPoint 3 4))
(declare-const y (_ FloatingPoint 3 4))
(assert (not (fp.isZero x)))
(assert (= (fp.min x y) (fp.max x y)))
(assert (not (= x y)))
(assert (or (fp.isNaN (fp.min x (fp.max y y))) (fp.eq (fp.min x y) y)))
(check-sat)
