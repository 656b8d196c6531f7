; Remainders by infinity and by zero.
(set-logic QF_FP)
(declare-const x (_ FloatingPoint 3 3))
(declare-const y (_ FloatingPoint 3 3))
(assert (= (fp.rem x y) x))
(assert (= (fp.rem y x) (_ NaN 3 3)))
(assert (or (fp.isInfinite y) (fp.isZero x)))
(assert (distinct x y (_ +zero 3 3)))
(check-sat)
