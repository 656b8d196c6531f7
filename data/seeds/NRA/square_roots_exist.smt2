; Every real above a bound has a root that is bounded by it.
(set-logic NRA)
(declare-const a Real)
(assert (> a 1.0))
(assert (exists ((y Real)) (and (= (* y y) a) (> y a))))
(assert (forall ((z Real)) (=> (> z 1.0) (> (* z z) z))))
(check-sat)
