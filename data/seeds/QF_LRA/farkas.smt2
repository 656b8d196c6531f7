; Three half planes without a common point, one of them strict.
(set-logic QF_LRA)
(declare-const x Real)
(declare-const y Real)
(assert (<= (+ x (* 2.0 y)) 3.0))
(assert (>= (- x y) 3.0))
(assert (> y (/ 1.0 100000000000000000000.0)))
(assert (or (< x 2.0) (= y (- (/ 7.0 3.0) (/ x 3.0)))))
(check-sat)
