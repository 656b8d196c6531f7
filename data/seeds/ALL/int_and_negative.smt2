; Bitwise and of numbers out of range is taken modulo the width.
(set-logic ALL)
(declare-const x Int)
(assert (= ((_ iand 3) x 7) 5))
(assert (distinct (mod x 8) 5))
(assert (<= (- 20) x 20))
(check-sat)
