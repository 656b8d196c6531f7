; A tower of let that doubles at each level.
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(assert (let ((a (+ x y))) (let ((b (+ a a))) (let ((c (+ b b)) (x b)) (let ((d (- c x)))
  (and (= d (+ b 0)) (> d 6) (distinct (+ c d) (* 3 x))))))))
(assert (< x y))
(check-sat)
