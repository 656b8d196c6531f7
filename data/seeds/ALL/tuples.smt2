; Tuples: selection, update, projection, and the empty tuple.
(set-logic ALL)
(declare-const t (Tuple Int Bool String))
(declare-const u (Tuple Bool Int))
(assert (= u ((_ tuple.project 1 0) t)))
(assert (= ((_ tuple.update 2) t "x") (tuple (str.len ((_ tuple.select 2) t)) true "x")))
(assert (distinct ((_ tuple.select 2) t) "" "x"))
(assert (not (= u (tuple true 1))))
(check-sat)
