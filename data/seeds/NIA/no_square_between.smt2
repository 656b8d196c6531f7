; No square between two neighbouring squares.
(set-logic NIA)
(declare-const n Int)
(declare-const s Int)
(assert (<= 0 n 3))
(assert (exists ((k Int)) (and (<= 0 k 5) (= s (* k k)))))
(assert (and (< (* n n) s) (< s (* (+ n 1) (+ n 1)))))
(check-sat)
