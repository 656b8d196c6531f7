; RUN: parse
; EXPECT-ERROR: 3:17: error: ')' found, a sort expected
(declare-const x)
