; Density of the reals, two quantifiers deep.
(set-logic LRA)
(declare-const e Real)
(assert (forall ((x Real) (y Real))
  (=> (< x y) (exists ((z Real)) (and (< x z y) (< (- y z) (* 0.5 (- y x))))))))
(assert (> e 0.0))
(assert (forall ((d Real)) (=> (> d 0.0) (exists ((t Real)) (and (< 0.0 t d) (distinct t e))))))
(check-sat)
