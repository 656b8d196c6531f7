; z3 takes a reserved word as a name; it is printed with bars.
; RUN: parse --print
; EXPECT: (set-logic ALL)
; EXPECT: (declare-const |let| Int)
; EXPECT: (declare-const |exists| Bool)
; EXPECT: (assert (and |exists| (> |let| 0)))
; EXPECT: (check-sat)
(declare-const let Int)
(declare-const exists Bool)
(assert (and exists (> let 0)))
(check-sat)
