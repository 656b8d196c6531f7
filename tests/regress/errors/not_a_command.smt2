; RUN: parse
; EXPECT-ERROR: ...
(set-logic QF_UF)
("assert" true)
