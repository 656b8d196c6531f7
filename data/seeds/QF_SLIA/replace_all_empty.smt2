; Replacing all occurrences of the empty string changes nothing.
(set-logic QF_SLIA)
(declare-const s String)
(declare-const t String)
(assert (not (= (str.replace_all s t "x") (str.replace s t "x"))))
(assert (or (= t "") (< (str.len s) (* 2 (str.len t)))))
(assert (<= (str.len s) 3))
(check-sat)
