; Functions as values, applied in part and through @.
(set-logic HO_ALL)
(declare-const f (-> Int Int))
(declare-const g (-> Int Int Int))
(assert (= (f 1) (@ f 2)))
(assert (= (g 1) f))
(assert (distinct (g 1 1) (g 1 2)))
(check-sat)
