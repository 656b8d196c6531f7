; Bitwise and of integers, by width.
(set-logic ALL)
(declare-const x Int)
(declare-const y Int)
(assert (and (<= 0 x 15) (<= 0 y 15)))
(assert (= ((_ iand 4) x y) 6))
(assert (= (+ x y) (+ 20 ((_ iand 3) x 1))))
(check-sat)
