; The length after replacing every occurrence.
(set-logic QF_SLIA)
(declare-const s String)
(assert (str.in_re s (re.+ (re.union (str.to_re "a") (str.to_re "b")))))
(assert (= (str.len (str.replace_all s "a" "bb")) (+ (str.len s) 2)))
(assert (= (str.replace_all s "ba" "") "aab"))
(assert (<= (str.len s) 5))
(check-sat)
