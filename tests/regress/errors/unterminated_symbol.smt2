; RUN: parse
; EXPECT-ERROR: ...
(declare-const |s String)
(check-sat)
