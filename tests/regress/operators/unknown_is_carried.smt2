; An unknown operator does not stop a file.
; RUN: parse --print
; EXPECT-WARNING: ...
(set-logic ALL)
(declare-const x Int)
(assert (no.such.predicate x (no.such.function x 2)))
(assert (> x 0))
(check-sat)
