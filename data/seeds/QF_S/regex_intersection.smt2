; Digits in regular expressions: option, complement and loop.
(set-logic QF_S)
(declare-const s String)
(define-fun digits () RegLan (re.+ (re.range "0" "9")))
(assert (str.in_re s (re.++ (re.opt (str.to_re "-")) digits)))
(assert (str.in_re s (re.comp (re.++ re.all (str.to_re "0") re.all))))
(assert (str.in_re s ((_ re.loop 3 5) (re.union (str.to_re "7") (str.to_re "-7")))))
(assert (not (str.in_re s (re.* (str.to_re "77")))))
(check-sat)
