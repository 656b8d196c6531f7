; Powers with constant exponents.
(set-logic ALL)
(declare-const x Int)
(declare-const r Real)
(assert (= (^ x 3) (- 27)))
(assert (= (^ r 2.0) 4.0))
(assert (or (> x 0) (= r (^ 2.0 3.0)) (< r (- 2.0))))
(check-sat)
