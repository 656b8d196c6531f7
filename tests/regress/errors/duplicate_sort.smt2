; RUN: parse
; EXPECT-ERROR: 4:14: error: sort 'S' is declared already
(declare-sort S 0)
(define-sort S () Int)
