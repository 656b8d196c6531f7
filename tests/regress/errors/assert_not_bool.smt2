; RUN: parse
; EXPECT-ERROR: 4:9: error: the asserted term has sort Int, not Bool
(declare-const x Int)
(assert (+ x 1))
