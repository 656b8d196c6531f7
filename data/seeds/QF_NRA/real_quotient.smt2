; Quotients of two reals that may be zero.
(set-logic QF_NRA)
(declare-const x Real)
(declare-const y Real)
(assert (= (/ x y) (/ y x)))
(assert (distinct x y))
(assert (or (= y 0.0) (< (* x y) 0.0)))
(assert (<= (* x x) 4.0))
(check-sat)
