; A function may tell the two zeros apart, but not two NaNs.
(set-logic QF_UFFP)
(declare-fun f ((_ FloatingPoint 3 4)) (_ FloatingPoint 3 4))
(declare-const x (_ FloatingPoint 3 4))
(declare-const y (_ FloatingPoint 3 4))
(assert (not (= (f x) (f y))))
(assert (or (fp.eq x y) (and (fp.isNaN x) (fp.isNaN y))))
(assert (fp.lt (f (_ +zero 3 4)) (f y)))
(check-sat)
