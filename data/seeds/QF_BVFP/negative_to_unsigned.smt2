; A negative number that rounds to zero is in the range of unsigned integers.
(set-logic QF_BVFP)
(declare-const x (_ FloatingPoint 3 4))
(assert (fp.isNegative x))
(assert (fp.gt x (fp #b1 #b011 #b000)))
(assert (not (= ((_ fp.to_ubv 4) RTZ x) #x0)))
(check-sat)
