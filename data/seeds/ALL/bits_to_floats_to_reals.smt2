; A number from an integer through bits and a float to a real.
(set-logic ALL)
(declare-const b (_ BitVec 4))
(declare-const r Real)
(define-fun f () (_ FloatingPoint 4 4) ((_ to_fp_unsigned 4 4) RNE b))
(assert (= r (fp.to_real f)))
(assert (> (- r (to_real (bv2nat b))) 0.0))
(assert (bvult b #xe))
(check-sat)
