; Floating point sorts, literals and rounding modes under both names.
; RUN: parse --print
(set-logic QF_FPLRA)
(declare-const h Float16)
(declare-const d Float64)
(declare-const m RoundingMode)
(assert (= h (fp #b0 #b01111 #b0000000000) (_ +zero 5 11)))
(assert (fp.lt (fp.add RNE d d) (fp.mul roundNearestTiesToEven d d) (_ +oo 11 53)))
(assert (distinct m RNA roundTowardZero RTP))
(assert (= h ((_ to_fp 5 11) m d) ((_ to_fp 5 11) RTZ 0.1) ((_ to_fp 5 11) #x3c00)))
(assert (= ((_ fp.to_ubv 8) RTN h) #x01))
(assert (not (or (fp.isNaN h) (= d (_ NaN 11 53)))))
(check-sat)
