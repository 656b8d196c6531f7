; With --strict an unknown operator is an error.
; RUN: parse --strict
; EXPECT-ERROR: 6:9: error: unknown operator 'no.such.predicate'
(set-logic ALL)
(declare-const x Int)
(assert (no.such.predicate x))
(check-sat)
