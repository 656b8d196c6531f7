; Replacing the shortest leftmost match, which may be empty.
(set-logic QF_SLIA)
(declare-const s String)
(define-fun r () RegLan (re.++ (str.to_re "a") (re.* (str.to_re "b"))))
(assert (= s "xabab"))
(assert (= (str.replace_re s r "-") "x-bab"))
(assert (= (str.replace_re s (re.* re.allchar) "+") (str.++ "+" s)))
(assert (distinct (str.replace_re_all s r "-") "x-b-b"))
(check-sat)
