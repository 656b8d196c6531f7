; Coefficients with a common divisor only in part; solvable far from zero.
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(declare-const z Int)
(assert (= (+ (* 15 x) (* 10 y) (* 6 z)) 1))
(assert (and (<= (- 5) x 5) (> y x)))
(assert (distinct (mod x 2) (mod z 5)))
(check-sat)
