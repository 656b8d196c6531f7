; The first match of a regular expression.
(set-logic QF_SLIA)
(declare-const s String)
(declare-const i Int)
(define-fun r () RegLan (re.++ (str.to_re "a") (re.opt (str.to_re "b"))))
(assert (= (str.indexof_re s r i) 2))
(assert (= (str.indexof s "a" i) (str.indexof_re s (re.* r) i)))
(assert (<= (str.len s) 4))
(check-sat)
