; RUN: parse
; EXPECT-ERROR: 4:8: error: the asserted term has sort Int, not Bool
(declare-const x Int)
(assert (+ x 1))
