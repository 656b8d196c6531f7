; A string is the sum of its parts.
(set-logic QF_SLIA)
(declare-const s String)
(declare-const i Int)
(assert (not (= s (str.++ (str.substr s 0 i) (str.substr s i (- (str.len s) i))))))
(assert (<= 0 i))
(assert (or (< i (str.len s)) (= i 0)))
(check-sat)
