; RUN: parse
; EXPECT-ERROR: ...
(set-logic QF_UF)
(push 2)
(pop 1)
(pop 2)
