; Older names of string, regular expression and core operators.
; RUN: parse --print
(declare-const s String)
(declare-const p Bool)
(declare-const q Bool)
(assert (str.in.re s (re.++ (str.to.re "a") (re.* (re.range "0" "9")))))
(assert (= (str.to.int s) (str.len (int.to.str 12))))
(assert (implies p (iff q (if p q p))))
(check-sat)
