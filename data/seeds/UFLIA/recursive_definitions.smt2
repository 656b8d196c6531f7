; Two recursive functions of small numbers, one on top of the other.
(set-logic UFLIA)
(define-fun-rec fact ((n Int)) Int (ite (<= n 1) 1 (* n (fact (- n 1)))))
(define-fun-rec digits ((n Int)) Int (ite (< n 10) 1 (+ 1 (digits (div n 10)))))
(assert (or (= (fact 4) 25) (= (digits 120) 2) (= (digits (- 5)) (fact 0) 0)))
(check-sat)
