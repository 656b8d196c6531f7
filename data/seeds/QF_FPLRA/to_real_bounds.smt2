; A float between two reals it cannot represent.
(set-logic QF_FPLRA)
(declare-const f (_ FloatingPoint 3 4))
(declare-const r Real)
(assert (= r (fp.to_real f)))
(assert (and (< 0.3 r) (< r 0.4)))
(assert (not (or (fp.isNaN f) (fp.isInfinite f))))
(assert (fp.leq ((_ to_fp 3 4) RTN 0.3) f))
(check-sat)
