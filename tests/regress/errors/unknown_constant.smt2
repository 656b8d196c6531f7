; RUN: parse
; EXPECT-ERROR: ...
(set-logic QF_LIA)
(declare-const x Int)
(assert (> (+ x y) 0))
(check-sat)
