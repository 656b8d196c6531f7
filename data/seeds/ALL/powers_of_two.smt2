; Powers of two of a variable.
(set-logic ALL)
(declare-const n Int)
(declare-const m Int)
(assert (= (int.pow2 n) (* 4 (int.pow2 m))))
(assert (and (<= 0 m 3) (<= 0 n 5)))
(assert (distinct n (+ m 2)))
(check-sat)
