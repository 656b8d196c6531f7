; The two halves of z3's element access.
(set-logic ALL)
(declare-const s (Seq Int))
(declare-const i Int)
(assert (= (seq.nth_i s 0) (seq.nth_u s 5) 4))
(assert (= (seq.indexof s (seq.unit 4)) 1))
(assert (distinct (seq.nth s 0) (seq.nth s i)))
(assert (<= 1 (seq.len s) 3))
(check-sat)
