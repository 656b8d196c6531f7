; The image of an open interval under a line.
(set-logic LRA)
(declare-const a Real)
(declare-const b Real)
(assert (forall ((x Real)) (=> (< 0.0 x 1.0) (< (- 1.0) (+ (* 2.0 x) b) 1.0))))
(assert (exists ((x Real)) (and (<= 0.0 x 1.0) (= (+ (* 3.0 x) b) (* 2.0 a)))))
(assert (not (= a b)))
(check-sat)
