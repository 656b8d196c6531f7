; A function that commutes with a scaling by a real.
(set-logic UFNRA)
(declare-fun f (Real) Real)
(declare-const c Real)
(assert (forall ((x Real)) (! (= (f (* 2.0 x)) (* c (f x))) :pattern ((f (* 2.0 x))))))
(assert (= (f (* 2.0 1.5)) 3.0))
(assert (= (* c (f 1.5)) (- 3.0)))
(check-sat)
