; The rounding error of a sum, as a real.
(set-logic QF_FPLRA)
(declare-const x (_ FloatingPoint 3 3))
(declare-const e Real)
(define-fun y () (_ FloatingPoint 3 3) (fp #b0 #b011 #b01))
(assert (and (fp.isNormal x) (fp.isNormal (fp.add RTN x y))))
(assert (= e (- (fp.to_real (fp.add RTN x y)) (+ (fp.to_real x) (fp.to_real y)))))
(assert (< e (- 0.1)))
(check-sat)
