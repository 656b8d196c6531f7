; A function above its chords that is zero at three points but not between.
(set-logic UFLRA)
(declare-fun f (Real) Real)
(declare-const a Real)
(assert (forall ((x Real) (y Real))
  (! (>= (* 2.0 (f (* 0.5 (+ x y)))) (+ (f x) (f y))) :pattern ((f x) (f y)))))
(assert (and (= (f 0.0) 1.0) (= (f a) 3.0)))
(assert (< (f (* 0.5 (+ 0.0 a))) 2.0))
(check-sat)
