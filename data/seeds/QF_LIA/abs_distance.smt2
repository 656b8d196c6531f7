; Absolute values of differences: a triangle that is too flat.
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(declare-const z Int)
(assert (> (abs (- x z)) (+ (abs (- x y)) (abs (- y z)))))
(assert (<= (abs (+ x y z)) 10))
(assert (or (= (abs x) (- y)) (= (abs (abs z)) z)))
(check-sat)
