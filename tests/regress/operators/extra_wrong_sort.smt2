; Operators from a file are sort-checked like any other.
; RUN: parse --operators extra.ops
; EXPECT-ERROR: ...
(set-logic ALL)
(declare-const x Int)
(assert (my.close x true))
(check-sat)
