; RUN: parse
; EXPECT-ERROR: 6:9: error: unknown constant 'x'
(push 1)
(declare-const x Bool)
(pop 1)
(assert x)
