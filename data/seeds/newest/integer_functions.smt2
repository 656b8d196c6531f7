; Needs cvc5 1.3.2: logarithm and power of integers.
(set-logic ALL)
(declare-const x Int)
(declare-const y Int)
(assert (= (int.log2 x) 3))
(assert (< y (int.pow2 x)))
(assert (= (int.log2 y) (- x 4)))
(check-sat)
