; RUN: parse
; EXPECT-ERROR: 4:11: error: ')' found, '(' before a command expected
(declare-const p Bool)
(assert p))
(check-sat)
