; Needs cvc5 1.3.3: bitwise and of integers, of a width that is a term.
(set-logic ALL)
(declare-const x Int)
(declare-const y Int)
(declare-const k Int)
(assert (= (piand k x y) 5))
(assert (and (< 2 k) (< k 6)))
(assert (not (= x y)))
(check-sat)
