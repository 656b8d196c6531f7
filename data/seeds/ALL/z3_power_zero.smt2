; Zero to the power of zero, as z3 has it.
(set-logic ALL)
(declare-const n Int)
(declare-const x Real)
(assert (< (^0 0 0) n))
(assert (or (> (^0 0 0) n) (= (^0 0.0 0.0) (+ 1.0 (^0 0.0 0.0)))))
(assert (> x 0.0))
(check-sat)
