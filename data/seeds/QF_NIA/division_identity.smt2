; The identity of division with remainder, denied for a divisor that is not zero.
(set-logic QF_NIA)
(declare-const n Int)
(declare-const d Int)
(assert (distinct d 0))
(assert (or (distinct n (+ (* d (div n d)) (mod n d))) (< (mod n d) 0) (>= (mod n d) (abs d))))
(assert (<= (- 3) d 3))
(assert (<= (- 5) n 5))
(check-sat)
