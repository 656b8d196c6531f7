; A list that would be its own tail.
(set-logic QF_DT)
(declare-datatypes ((List 0)) (((nil) (cons (head Bool) (tail List)))))
(declare-const x List)
(declare-const y List)
(assert (= x (cons true (tail y))))
(assert (= y (cons (head x) x)))
(check-sat)
