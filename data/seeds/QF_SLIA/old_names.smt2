; Strings under the sequence names.
(set-logic QF_SLIA)
(declare-const s String)
(declare-const t String)
(assert (seq.contains (seq.++ s t) (seq.extract s 1 2)))
(assert (= (seq.len s) (+ 1 (seq.indexof s t 0))))
(assert (not (seq.prefixof t s)))
(assert (= (seq.at s 1) (seq.replace s t "")))
(check-sat)
