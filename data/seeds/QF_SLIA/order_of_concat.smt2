; Order and concatenation: a common prefix may be dropped, a suffix may not.
(set-logic QF_SLIA)
(declare-const x String)
(declare-const y String)
(assert (str.<= x y))
(assert (str.< (str.++ y "b") (str.++ x "b")))
(assert (= (str.len x) 1))
(assert (str.prefixof x y))
(check-sat)
