; RUN: parse
; EXPECT-ERROR: ...
(declare-sort S 0)
(define-sort S () Int)
