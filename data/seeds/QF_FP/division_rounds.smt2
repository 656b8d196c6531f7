; A third rounded up and down.
(set-logic QF_FP)
(declare-const x (_ FloatingPoint 4 4))
(define-fun three () (_ FloatingPoint 4 4) (fp #b0 #b1000 #b100))
(assert (fp.lt (fp.mul RNE three (fp.div RTN x three)) x))
(assert (fp.gt (fp.mul RNE (fp.div RTP x three) three) x))
(assert (fp.isNormal (fp.div RTZ x three)))
(check-sat)
