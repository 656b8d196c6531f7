; RUN: parse
; EXPECT-ERROR: 3:30: error: the term has sort Int, not Bool
(define-fun f ((x Int)) Bool (+ x 1))
