; With --strict an unknown operator is an error.
; RUN: parse --strict
; EXPECT-ERROR: ...
(set-logic ALL)
(declare-const x Int)
(assert (no.such.predicate x))
(check-sat)
