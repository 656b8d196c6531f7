; Two streams with the same unfolding are equal.
(set-logic ALL)
(declare-codatatypes ((S 0)) (((c (h Int) (t S)))))
(declare-const x S)
(declare-const y S)
(assert (= x (c 0 x)))
(assert (= y (c 0 (c 0 y))))
(assert (not (= x y)))
(check-sat)
