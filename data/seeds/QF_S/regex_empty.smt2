; An intersection of two regular expressions that holds the empty word only.
(set-logic QF_S)
(declare-const s String)
(declare-const t String)
(assert (str.in_re s (re.inter (re.* (str.to_re "aab")) (re.* (re.range "a" "a")))))
(assert (distinct s ""))
(assert (str.in_re t (re.diff re.allchar re.none)))
(check-sat)
