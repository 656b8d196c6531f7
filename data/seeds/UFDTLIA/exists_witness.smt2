; Quantifiers over a finite datatype with a function.
(set-logic UFDTLIA)
(declare-datatypes ((D 0)) (((n) (e) (s) (w))))
(declare-fun f (D) Int)
(declare-fun turn (D) D)
(assert (forall ((d D)) (= (f (turn d)) (+ 1 (f d)))))
(assert (exists ((d D)) (= (turn (turn (turn (turn d)))) d)))
(check-sat)
