; A product of two primes.
(set-logic QF_NIA)
(declare-const p Int)
(declare-const q Int)
(assert (= (* p q) 8051))
(assert (< 1 p q))
(assert (= (mod (* p p) 4) 1))
(check-sat)
