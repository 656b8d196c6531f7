; Two even sums that differ by an odd number.
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(declare-const z Int)
(assert (= (+ (* 4 x) (* (- 6) y)) (+ (* 2 z) 1)))
(assert (or (< x y) (< y z) (>= z x)))
(check-sat)
