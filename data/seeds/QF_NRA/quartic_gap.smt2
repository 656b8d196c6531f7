; A polynomial of degree four that stays above its bound.
(set-logic QF_NRA)
(declare-const x Real)
(define-fun p ((t Real)) Real (+ (* t t t t) (* (- 2.0) t t) 1.0))
(assert (< (p x) 0.0))
(assert (or (> x 0.5) (< x (- 0.5)) (= (p x) x)))
(check-sat)
