; A derivative of a regular expression by a character.
(set-logic ALL)
(declare-const s String)
(assert (str.in_re s (re.derivative (_ Char 97) (re.++ (str.to_re "ab") (re.* (str.to_re "c"))))))
(assert (= (str.len s) 3))
(assert (not (= (str.at s 1) "c")))
(check-sat)
