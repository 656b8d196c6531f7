; The length after replacing every occurrence.
(set-logic QF_SLIA)
(declare-const s String)
(assert (str.in_re s ((_ re.loop 1 4) (re.union (str.to_re "a") (str.to_re "b")))))
(assert (= (str.len (str.replace_all s "a" "bb")) (+ (str.len s) 1)))
(assert (= (str.replace_all s "ba" "") "b"))
(check-sat)
