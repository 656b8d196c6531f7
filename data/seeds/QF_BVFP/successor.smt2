; The next float upward is the next word upward, but for the ends.
(set-logic QF_BVFP)
(declare-const b (_ BitVec 7))
(define-fun x () (_ FloatingPoint 3 4) ((_ to_fp 3 4) b))
(define-fun y () (_ FloatingPoint 3 4) ((_ to_fp 3 4) (bvadd b (_ bv1 7))))
(assert (bvult b #b0111000))
(assert (not (fp.lt x y)))
(check-sat)
