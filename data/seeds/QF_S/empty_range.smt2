; Ranges that are empty: reversed ends, and ends that are no single characters.
(set-logic QF_S)
(declare-const s String)
(assert (str.in_re s (re.union (re.range "z" "a") (re.range "ab" "c") (re.range "" "b")
  (re.+ (re.range "\u{0}" "\u{1f}")))))
(assert (not (str.in_re s (re.++ (re.range "\u{0}" "\u{5}") re.all))))
(assert (str.in_re s (re.opt re.allchar)))
(check-sat)
