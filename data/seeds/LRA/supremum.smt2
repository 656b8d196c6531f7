; The supremum of an open interval, defined by two quantifiers.
(set-logic LRA)
(declare-const s Real)
(assert (forall ((x Real)) (=> (< (* 3.0 x) 1.0) (<= x s))))
(assert (forall ((u Real)) (=> (forall ((x Real)) (=> (< (* 3.0 x) 1.0) (<= x u))) (<= s u))))
(assert (distinct s (/ 1.0 3.0)))
(check-sat)
