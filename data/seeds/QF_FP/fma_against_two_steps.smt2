; One rounding against two.
(set-logic QF_FP)
(declare-const x (_ FloatingPoint 3 4))
(declare-const y (_ FloatingPoint 3 4))
(declare-const z (_ FloatingPoint 3 4))
(assert (not (fp.eq (fp.fma RNE x y z) (fp.add RNE (fp.mul RNE x y) z))))
(assert (and (fp.isNormal x) (fp.isNormal y) (fp.isSubnormal z)))
(assert (fp.isZero (fp.sub RTP z (fp.abs z))))
(check-sat)
