; RUN: parse
; EXPECT-ERROR: 4:14: error: string without an end
(declare-const s String)
(assert (= s "abc))
(check-sat)
