; RUN: parse
; EXPECT-ERROR: 6:6: error: pop of 2 levels, but there are 1
(set-logic QF_UF)
(push 2)
(pop 1)
(pop 2)
