; A point in the hull of three others, by weights under a quantifier.
(set-logic LRA)
(declare-const x Real)
(assert (exists ((s Real) (t Real))
  (and (>= s 0.0) (>= t 0.0) (<= (+ s t) 1.0) (= x (+ (* 3.0 s) (* (- 2.0) t))))))
(assert (forall ((s Real)) (=> (<= 0.0 s 1.0) (distinct x (* 3.0 s)))))
(assert (< x (- 2.0)))
(check-sat)
