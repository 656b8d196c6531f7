; RUN: parse
; EXPECT-ERROR: ...
(declare-const p Bool)
(assert (and p p)
(check-sat)
