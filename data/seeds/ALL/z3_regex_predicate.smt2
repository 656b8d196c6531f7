; A regular expression made of a predicate on characters.
(set-logic ALL)
(declare-const s String)
(assert (str.in_re s (re.of.pred (lambda ((c Unicode)) (char.is_digit c)))))
(assert (= (str.len s) 2))
(check-sat)
