; Coefficients around a power of two, and bounds that overflow if added in 64 bits.
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(assert (= (* 4294967296 x) (+ (* 4294967295 y) 1)))
(assert (<= (- 4294967297) y 4294967297))
(assert (> (+ (* 9223372036854775807 x) (* 9223372036854775807 y)) 18446744073709551615))
(check-sat)
