; Division and modulo by a term that is always zero.
(set-logic QF_NIA)
(declare-const x Int)
(declare-const y Int)
(assert (= y (- x x)))
(assert (= (div 7 y) 3))
(assert (= (mod 7 y) (div 7 0)))
(assert (distinct (div x y) (mod x y)))
(check-sat)
