; Characters at negative positions and past the end.
(set-logic QF_SLIA)
(declare-const s String)
(declare-const i Int)
(assert (= (str.++ (str.at s (- i)) (str.at s i)) (str.at s (* 2 i))))
(assert (> (str.len (str.++ s (str.at s i))) (str.len s)))
(assert (distinct (str.at s i) (str.at s 0)))
(assert (<= (str.len s) 6))
(check-sat)
