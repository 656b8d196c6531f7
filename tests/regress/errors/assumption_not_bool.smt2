; RUN: parse
; EXPECT-ERROR: ...
(declare-const x Int)
(check-sat-assuming (x))
