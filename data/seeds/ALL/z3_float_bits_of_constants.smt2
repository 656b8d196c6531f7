; The bits of rounded constants.
(set-logic ALL)
(declare-const x (_ FloatingPoint 3 4))
(assert (= (fp.to_ieee_bv ((_ to_fp 3 4) RNE 3.3 0)) (bvadd (fp.to_ieee_bv x) (_ bv1 7))))
(assert (fp.leq x ((_ to_fp 3 4) RNE (- 2) 13.0)))
(assert (not (fp.isInfinite (fp.fma RTP x x x))))
(check-sat)
