; Replacing all matches of a regular expression in a bounded string.
(set-logic QF_SLIA)
(declare-const s String)
(declare-const t String)
(assert (= t (str.replace_re_all s (re.range "0" "9") "")))
(assert (= (str.len s) 2))
(assert (str.is_digit (str.at s 1)))
(assert (= t (str.substr s 0 1)))
(check-sat)
