; Absolute values of reals.
(set-logic ALL)
(declare-const x Real)
(declare-const y Real)
(assert (= (abs (- x y)) 1.5))
(assert (< (abs x) (abs y)))
(assert (or (= (abs (+ x y)) 2.5) (= (abs (abs y)) (- y) (abs x))))
(check-sat)
