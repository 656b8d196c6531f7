; Operators from a file are sort-checked like any other.
; RUN: parse --operators extra.ops
; EXPECT-ERROR: 6:9: error: 'my.close' cannot take (Int Bool): it is (my.close Int Int Bool :chainable)
(set-logic ALL)
(declare-const x Int)
(assert (my.close x true))
(check-sat)
