; The order of half-precision floats against the order of their bits.
(set-logic QF_BVFP)
(declare-const b (_ BitVec 16))
(define-fun f () (_ FloatingPoint 5 11) ((_ to_fp 5 11) b))
(assert (fp.lt f ((_ to_fp 5 11) (bvadd b #x0001))))
(assert (= ((_ extract 15 15) b) #b1))
(assert (not (fp.isSubnormal f)))
(check-sat)
