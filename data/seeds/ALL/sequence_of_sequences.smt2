; A sequence of sequences, flattened by hand.
(set-logic ALL)
(declare-const s (Seq (Seq Int)))
(declare-const t (Seq Int))
(assert (= (seq.len s) 2))
(assert (= t (seq.++ (seq.nth s 0) (seq.nth s 1))))
(assert (= (seq.len t) 1))
(assert (= (seq.nth s 0) (seq.nth s 1)))
(check-sat)
