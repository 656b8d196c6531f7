; A sum of cubes with signs, and a product with many factors.
(set-logic QF_NIA)
(declare-const x Int)
(declare-const y Int)
(declare-const z Int)
(assert (= (+ (* x x x) (* y y y)) (+ (* z z z) 1)))
(assert (and (distinct x 1 z) (distinct y 1 z)))
(assert (and (<= (- 9) x 12) (<= (- 9) y 12) (<= (- 9) z 12)))
(check-sat)
