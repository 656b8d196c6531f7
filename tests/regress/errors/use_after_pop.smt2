; RUN: parse
; EXPECT-ERROR: ...
(push 1)
(declare-const x Bool)
(pop 1)
(assert x)
