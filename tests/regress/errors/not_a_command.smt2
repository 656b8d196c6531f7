; RUN: parse
; EXPECT-ERROR: 4:2: error: 'assert' found, a command expected
(set-logic QF_UF)
("assert" true)
