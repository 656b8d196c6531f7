; Hyperbolic functions and their inverses, behind a choice.
(set-logic ALL)
(declare-const x Real)
(declare-const p Bool)
(assert (=> p (= (sinh x) (cosh x))))
(assert (=> p (> (tanh x) (asinh x))))
(assert (or (not p) (= (acosh x) (atanh x)) (< euler x)))
(assert (not (or p (< x 0.0))))
(check-sat)
