; Needs z3 5.0, no logic: strings that are in one of two languages only.
(declare-const s String)
(declare-const t String)
(define-fun ab () RegLan (re.+ (re.union (str.to_re "a") (str.to_re "b"))))
(assert (str.in_re s (re.xor (re.* (str.to_re "ab")) ab)))
(assert (not (str.in_re (str.++ s t) (re.xor (re.* re.allchar) (re.* (str.to_re "a"))))))
(assert (> (str.len t) 1))
(check-sat)
