; A square that leaves the remainder three.
(set-logic QF_NIA)
(declare-const x Int)
(declare-const y Int)
(assert (= (* x x) (+ (* 4 y) 3)))
(assert (<= (- 6) x 6))
(check-sat)
