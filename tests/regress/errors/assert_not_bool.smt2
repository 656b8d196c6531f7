; RUN: parse
; EXPECT-ERROR: ...
(declare-const x Int)
(assert (+ x 1))
