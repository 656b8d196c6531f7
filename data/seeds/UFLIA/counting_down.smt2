; A function that falls by one or two until it stops.
(set-logic UFLIA)
(declare-fun f (Int) Int)
(assert (forall ((n Int)) (! (=> (> n 0) (= (f n) (+ 2 (f (- n 1))))) :pattern ((f n)))))
(assert (= (f 0) 1))
(assert (or (= (f 3) 8) (= (f (- 1)) (f 2) 6)))
(check-sat)
