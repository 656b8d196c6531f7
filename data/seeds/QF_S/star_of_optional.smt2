; Nested stars and options that accept the empty word in many ways.
(set-logic QF_S)
(declare-const s String)
(assert (str.in_re s (re.* (re.opt (re.* (re.++ (re.opt (str.to_re "x")) (str.to_re "y")))))))
(assert (str.in_re s (re.comp (re.++ re.all (str.to_re "yy") re.all))))
(assert (str.in_re s (re.++ ((_ re.^ 4) re.allchar) re.all)))
(assert (not (str.prefixof "x" s)))
(check-sat)
