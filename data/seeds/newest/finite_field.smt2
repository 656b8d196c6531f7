; Needs cvc5 1.1: squares and sums of bits in a small field.
(set-logic QF_FF)
(define-sort F () (_ FiniteField 7))
(declare-const x F)
(declare-const y F)
(assert (= (ff.mul x x) (ff.add y (as ff2 F))))
(assert (= (ff.bitsum x y (as ff1 F)) (ff.neg y)))
(assert (not (= x y)))
(check-sat)
