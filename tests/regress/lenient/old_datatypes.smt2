; The datatype syntax before 2.6 is printed in today's.
; RUN: parse --print
(declare-datatypes () ((Colour red green) (Nat zero (succ (pred Nat)))))
(declare-datatypes (T) ((Chain nil (cons (head T) (tail Chain)))))
(declare-const l (Chain Int))
(declare-const n Nat)
(assert (is-succ n))
(assert (= (head (tail l)) 3))
(assert (not (= l (as nil (Chain Int)))))
(check-sat)
