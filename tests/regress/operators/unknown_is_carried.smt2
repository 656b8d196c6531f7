; An unknown operator does not stop a file.
; RUN: parse --print
; EXPECT-WARNING: 12:9: warning: unknown operator 'no.such.predicate' is carried through
; EXPECT-WARNING: 12:30: warning: unknown operator 'no.such.function' is carried through
; EXPECT: (set-logic ALL)
; EXPECT: (declare-const x Int)
; EXPECT: (assert (no.such.predicate x (no.such.function x 2)))
; EXPECT: (assert (> x 0))
; EXPECT: (check-sat)
(set-logic ALL)
(declare-const x Int)
(assert (no.such.predicate x (no.such.function x 2)))
(assert (> x 0))
(check-sat)
