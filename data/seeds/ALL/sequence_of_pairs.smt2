; A sequence of tuples, with a selected column.
(set-logic ALL)
(declare-const s (Seq (Tuple Int Bool)))
(assert (= s (seq.++ (seq.unit (tuple 3 true)) (seq.unit (tuple (seq.len s) false)))))
(assert (not (= ((_ tuple.select 0) (seq.nth s 1)) 2)))
(check-sat)
