; The complement of a complement, and of an intersection.
(set-logic QF_S)
(declare-const s String)
(declare-const t String)
(define-fun r () RegLan (re.+ (re.range "b" "d")))
(assert (str.in_re s (re.comp (re.union (re.comp r) (re.comp (re.* (str.to_re "bc")))))))
(assert (str.in_re t (re.comp (re.inter re.all (re.comp (str.to_re ""))))))
(assert (distinct (str.++ s t) (str.++ t "bc" t)))
(check-sat)
