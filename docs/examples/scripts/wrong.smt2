(set-logic QF_LIA)
(declare-const p Bool)
(assert (+ 1 p))
