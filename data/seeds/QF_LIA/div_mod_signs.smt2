; Division and modulo with negative operands.
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(assert (= (div x (- 3)) 2))
(assert (= (mod x (- 3)) 1))
(assert (= (mod (- x) 3) (abs y)))
(assert (not (= (div (- x) 3) (- (div x 3)))))
(check-sat)
