; Division of a division against division by the product.
(set-logic QF_LIA)
(declare-const n Int)
(declare-const k Int)
(assert (distinct (div (div n 3) 4) (div n 12)))
(assert (= k (+ (* 10 (mod n 7)) (mod (- n) 7))))
(assert (> k 0))
(check-sat)
