; Characters beyond sixteen bits count as one.
(set-logic QF_SLIA)
(declare-const s String)
(declare-const t String)
(assert (= s (str.++ "\u{1F600}" t "\u{2FFFF}")))
(assert (= (str.to_code (str.at s (- (str.len s) 1))) (+ 65536 (str.to_code (str.at t 0)))))
(assert (<= (str.len s) 3))
(assert (str.< t "\u{1FFFF}\u{1}"))
(check-sat)
