; Choices between strings inside concatenations and regular expressions.
(set-logic QF_SLIA)
(declare-const s String)
(declare-const p Bool)
(define-fun pick () String (ite p "ab" (str.++ "b" s)))
(assert (str.in_re (str.++ pick s) (re.* (str.to_re "ab"))))
(assert (= (ite (str.contains s "b") (str.len s) (- 1)) (str.len pick)))
(assert (= p (= (str.indexof pick "b" 0) 1)))
(check-sat)
