; Any character includes line ends and quotes.
(set-logic QF_S)
(declare-const s String)
(assert (str.in_re s (re.++ re.allchar (str.to_re "\u{a}") re.allchar)))
(assert (not (str.in_re s (re.++ re.all (re.range " " "~") re.all))))
(assert (str.in_re s (re.++ re.all (re.union (str.to_re "\u{7f}") (str.to_re """")))))
(check-sat)
