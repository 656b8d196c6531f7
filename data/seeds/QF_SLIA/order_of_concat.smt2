; Order and concatenation: a common prefix may be dropped, a suffix may not.
(set-logic QF_SLIA)
(declare-const x String)
(declare-const y String)
(assert (str.<= x y))
(assert (str.< (str.++ y "b") (str.++ x "b")))
(assert (<= 1 (str.len x) (str.len y) 2))
(check-sat)
