; Of two equal names in one let or one binder the last one counts, as in z3 and cvc5.
; RUN: parse --print
; EXPECT: (set-logic ALL)
; EXPECT: (define-fun f ((x Int) (x!1 Bool)) Bool x!1)
; EXPECT: (assert false)
; EXPECT: (assert (forall ((x Bool) (x!1 Int)) (> x!1 0)))
; EXPECT: (assert (f 1 true))
; EXPECT: (check-sat)
(set-logic ALL)
(define-fun f ((x Int) (x Bool)) Bool x)
(assert (let ((a true) (a false)) a))
(assert (forall ((x Bool) (x Int)) (> x 0)))
(assert (f 1 true))
(check-sat)
