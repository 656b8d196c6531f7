; A datatype of tokens, with match over strings.
(set-logic ALL)
(declare-datatypes ((Tok 0)) (((num (val Int)) (id (name String)) (paren (in Tok)))))
(declare-const t Tok)
(declare-const s String)
(define-fun show ((x Tok)) String
  (match x (((num n) (str.from_int n)) ((id w) w) ((paren y) (str.++ "(" (name y) ")")))))
(assert (= (show t) s))
(assert (str.in_re s (re.+ (re.range "0" "9"))))
(assert (distinct t (num (str.to_int s))))
(assert (<= 1 (str.len s) 3))
(check-sat)
