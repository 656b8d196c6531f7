; Divisibility of a sum and a difference.
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(assert ((_ divisible 6) (+ x y)))
(assert ((_ divisible 4) (- x y)))
(assert (not ((_ divisible 2) x)))
(assert (< (- 20) y x 20))
(check-sat)
