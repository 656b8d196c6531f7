; Complements of sets, under the names of z3.
(set-logic ALL)
(declare-const s (Set Int))
(declare-const t (Set Int))
(assert (= (complement (union s t)) (union (complement s) t)))
(assert (distinct s t))
(check-sat)
