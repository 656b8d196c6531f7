; push and pop without a number mean one level.
; RUN: parse --print
(set-logic QF_UF)
(push)
(declare-const p Bool)
(assert p)
(pop)
(push 0)
(check-sat)
