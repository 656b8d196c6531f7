; Real bounds carried over to floats by roundings in both directions.
(set-logic QF_FPLRA)
(declare-const r Real)
(declare-const x (_ FloatingPoint 3 4))
(declare-const y (_ FloatingPoint 3 4))
(assert (fp.lt ((_ to_fp 3 4) RTN 0.6) x y ((_ to_fp 3 4) RTP 0.9)))
(assert (= (* 2.0 r) (+ (fp.to_real x) (fp.to_real y))))
(assert (or (<= r 0.6) (>= r 0.9)))
(check-sat)
