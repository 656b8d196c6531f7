; Prefixes of a sequence are ordered by length.
(set-logic ALL)
(declare-const s (Seq Real))
(declare-const p (Seq Real))
(declare-const q (Seq Real))
(assert (and (seq.prefixof p s) (seq.prefixof q s)))
(assert (<= (seq.len p) (seq.len q) 3))
(assert (or (not (seq.prefixof p q)) (and (seq.suffixof q p) (distinct p q))))
(check-sat)
