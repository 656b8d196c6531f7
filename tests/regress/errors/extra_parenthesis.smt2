; RUN: parse
; EXPECT-ERROR: ...
(declare-const p Bool)
(assert p))
(check-sat)
