; Functions that agree everywhere, with lambda and partial application.
(set-logic HO_ALL)
(declare-const f (-> Int Int))
(declare-const g (-> Int Int))
(declare-const h (-> (-> Int Int) Int))
(assert (= f g))
(assert (= (g 3) (+ 1 (f 4))))
(assert (distinct (h f) (h g)))
(check-sat)
