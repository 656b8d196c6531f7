; Operators from a file beside this one.
; RUN: parse --print --operators extra.ops
(set-logic ALL)
(declare-const x Int)
(declare-const s String)
(assert (my.close x (+ x 1) 4))
(assert (= s (my.pick s "a")))
(assert (= x (my.pick x 1)))
(check-sat)
