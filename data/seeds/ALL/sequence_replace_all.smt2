; Replacing all occurrences in a sequence of Booleans.
(set-logic ALL)
(declare-const s (Seq Bool))
(declare-const t (Seq Bool))
(assert (= t (seq.replace_all s (seq.unit true) (seq.unit false))))
(assert (= (seq.len s) 2))
(assert (not (seq.contains t (seq.unit false))))
(check-sat)
