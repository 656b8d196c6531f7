; The less usual inverses, behind a choice.
(set-logic QF_NRAT)
(declare-const x Real)
(declare-const p Bool)
(assert (=> p (= (arccos x) (arccot x))))
(assert (=> p (= (arccsc x) (arcsec x))))
(assert (or (not p) (= (cot x) 1.0)))
(assert (not (or p (> x 1.0))))
(check-sat)
