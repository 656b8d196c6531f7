; Words in one language and not in another.
(set-logic QF_S)
(declare-const s String)
(define-fun ab () RegLan (re.* (re.union (str.to_re "a") (str.to_re "b"))))
(assert (str.in_re s (re.diff ab (re.++ ab (str.to_re "aa") ab))))
(assert (str.in_re s (re.++ (re.* (str.to_re "ab")) (re.opt (str.to_re "a")))))
(assert (not (str.in_re s ((_ re.^ 2) ab))))
(check-sat)
