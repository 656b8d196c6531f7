; The size of a datatype value, as cvc4 measures it.
(set-logic ALL)
(declare-datatypes ((L 0)) (((nil) (cons (h Int) (t L)))))
(declare-const x L)
(declare-const y L)
(assert (= (dt.size x) (+ 1 (dt.size y))))
(assert (= (t x) y))
(assert (not ((_ is nil) y)))
(check-sat)
