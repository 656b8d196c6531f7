; Powers and loops with equal, zero and reversed bounds.
(set-logic QF_S)
(declare-const s String)
(declare-const t String)
(assert (str.in_re s ((_ re.loop 2 4) ((_ re.^ 3) (str.to_re "a")))))
(assert (str.in_re s ((_ re.^ 2) ((_ re.loop 1 5) (re.range "a" "c")))))
(assert (or (str.in_re t ((_ re.loop 3 2) re.allchar)) (str.in_re t ((_ re.^ 0) re.none))))
(assert (not (str.in_re (str.++ t s) ((_ re.loop 0 6) re.allchar))))
(check-sat)
