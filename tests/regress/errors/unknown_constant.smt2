; RUN: parse
; EXPECT-ERROR: 5:17: error: unknown constant 'y'
(set-logic QF_LIA)
(declare-const x Int)
(assert (> (+ x y) 0))
(check-sat)
