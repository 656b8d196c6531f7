; Both signs of the divisor, and the identity that binds quotient and remainder.
(set-logic QF_LIA)
(declare-const x Int)
(declare-const q Int)
(assert (= q (div x (- 4))))
(assert (= (mod x (- 4)) (mod x 4) 3))
(assert (distinct (div x 4) (- q)))
(assert (or (= x (- 5)) (= (div (- x) 4) (+ q 1)) (= q 2)))
(check-sat)
