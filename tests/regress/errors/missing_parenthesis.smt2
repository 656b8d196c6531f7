; RUN: parse
; EXPECT-ERROR: 5:1: error: '(' found, ')' at the end of the command expected
(declare-const p Bool)
(assert (and p p)
(check-sat)
