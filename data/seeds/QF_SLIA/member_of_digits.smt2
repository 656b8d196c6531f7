; Numerals in a regular expression against their values.
(set-logic QF_SLIA)
(declare-const s String)
(assert (str.in_re s (re.++ (re.range "1" "3") ((_ re.^ 2) (re.range "0" "9")))))
(assert (> (str.to_int s) 395))
(assert (= (str.to_code (str.at s 2)) (- (str.to_code (str.at s 0)) 3)))
(check-sat)
