; Nothing before the first index.
(set-logic QF_SLIA)
(declare-const s String)
(declare-const i Int)
(assert (= i (str.indexof s "ab" 1)))
(assert (< 1 i (str.len s) 5))
(assert (str.contains (str.substr s 1 i) "ab"))
(check-sat)
