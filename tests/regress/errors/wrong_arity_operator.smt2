; RUN: parse
; EXPECT-ERROR: ...
(declare-const p Bool)
(assert (not p p))
