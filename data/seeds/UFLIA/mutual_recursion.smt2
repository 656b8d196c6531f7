; Even and odd, defined by each other.
(set-logic UFLIA)
(define-funs-rec ((even ((n Int)) Bool) (odd ((n Int)) Bool))
  ((ite (= n 0) true (odd (- n 1)))
   (ite (= n 0) false (even (- n 1)))))
(assert (or (odd 4) (even 3) (and (even 2) (odd 1) (even 5))))
(check-sat)
