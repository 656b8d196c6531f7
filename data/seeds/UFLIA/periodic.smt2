; A function of period two with a third value.
(set-logic UFLIA)
(declare-fun f (Int) Int)
(declare-const k Int)
(assert (forall ((i Int)) (= (f i) (f (mod i 2)))))
(assert (and (= (f 4) 0) (= (f 7) 1)))
(assert (distinct (f k) 0 1))
(check-sat)
