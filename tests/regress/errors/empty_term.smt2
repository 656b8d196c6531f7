; RUN: parse
; EXPECT-ERROR: 3:10: error: ')' found, an operator expected
(assert ())
