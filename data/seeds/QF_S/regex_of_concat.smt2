; A concatenation in a regular expression, one part fixed.
(set-logic QF_S)
(declare-const x String)
(declare-const y String)
(define-fun low () RegLan (re.+ (re.range "0" "4")))
(assert (str.in_re (str.++ x "-" y) (re.++ low (str.to_re "-") (re.* (str.to_re "5")))))
(assert (str.in_re (str.++ y x) (re.* (str.to_re "51"))))
(assert (distinct x y))
(check-sat)
