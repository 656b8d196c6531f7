; Replacing the empty string, everything, and a regular expression.
(set-logic QF_SLIA)
(declare-const s String)
(declare-const t String)
(assert (= (str.replace s "" t) (str.replace_all s "a" t)))
(assert (distinct s t (str.replace_re s (re.+ (str.to_re "a")) "b")))
(assert (<= 1 (str.len s) 2))
(assert (str.suffixof "a" s))
(check-sat)
