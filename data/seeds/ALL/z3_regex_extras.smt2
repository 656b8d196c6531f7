; Regular expressions of z3: loops with bounds as arguments, and open loops.
(set-logic ALL)
(declare-const s String)
(declare-const t String)
(assert (str.in_re s (re.loop (str.to_re "ab") 2 3)))
(assert (str.in_re t (re.loop (re.range "a" "b") 3)))
(assert (str.in_re t ((_ re.loop 2) (str.to_re "aab"))))
(assert (or (= s t) (str.in_re s (re.++ re.all (str.to_re "bb") re.all))))
(check-sat)
