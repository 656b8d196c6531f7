; Signed integers from floats, within range, by all modes.
(set-logic QF_BVFP)
(declare-const x (_ FloatingPoint 4 5))
(assert (fp.lt (fp #b1 #b1001 #x0) x (fp #b0 #b1001 #x0)))
(assert (distinct ((_ fp.to_sbv 4) RNE x) ((_ fp.to_sbv 4) RNA x) ((_ fp.to_sbv 4) RTZ x)))
(assert (bvslt ((_ fp.to_sbv 4) RTN x) ((_ fp.to_sbv 4) RTP x)))
(check-sat)
