; A recursive sum of small numbers.
(set-logic UFLIA)
(define-fun-rec sum ((n Int)) Int (ite (<= n 0) 0 (+ n (sum (- n 1)))))
(declare-const k Int)
(assert (= k (sum 4)))
(assert (distinct k 10))
(check-sat)
