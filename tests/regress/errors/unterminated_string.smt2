; RUN: parse
; EXPECT-ERROR: ...
(declare-const s String)
(assert (= s "abc))
(check-sat)
