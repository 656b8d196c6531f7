; A number through three formats, rounded each time.
(set-logic QF_FP)
(declare-const x (_ FloatingPoint 4 8))
(define-fun n () (_ FloatingPoint 4 6) ((_ to_fp 4 6) RNE x))
(define-fun w () (_ FloatingPoint 3 4) ((_ to_fp 3 4) RNE n))
(assert (not (= w ((_ to_fp 3 4) RNE x))))
(assert (not (fp.isInfinite n)))
(assert (fp.isNormal w))
(check-sat)
