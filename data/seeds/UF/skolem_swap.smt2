; The order of two quantifiers, once exchanged rightly and once denied.
(set-logic UF)
(declare-sort U 0)
(declare-fun r (U U) Bool)
(declare-const c U)
(assert (exists ((x U)) (forall ((y U)) (r x y))))
(assert (not (forall ((y U)) (exists ((x U)) (r x y)))))
(assert (or (r c c) (forall ((z U)) (not (r z c)))))
(check-sat)
