; The average of two words by gates against the average in a wider word.
(set-logic QF_BV)
(declare-const x (_ BitVec 11))
(declare-const y (_ BitVec 11))
(define-fun avg () (_ BitVec 11) (bvadd (bvand x y) (bvlshr (bvxor x y) (_ bv1 11))))
(define-fun sum () (_ BitVec 12) (bvadd ((_ zero_extend 1) x) ((_ zero_extend 1) y)))
(assert (distinct avg ((_ extract 11 1) sum)))
(check-sat)
