; RUN: parse
; EXPECT-ERROR: ...
(set-logic QF_LIA)
(declare-const x Int)
(assert (= 0 (+ x
               true)))
(check-sat)
