; Three alternations of a linear order without ends.
(set-logic LRA)
(declare-const r Real)
(assert (forall ((x Real)) (exists ((y Real)) (and (> y x)
  (forall ((z Real)) (=> (> z y) (exists ((w Real)) (and (< x w z) (distinct w r)))))))))
(assert (exists ((u Real)) (and (> u r) (forall ((v Real)) (or (< v u) (> v r))))))
(check-sat)
