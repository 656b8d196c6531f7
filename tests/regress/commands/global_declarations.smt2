; With :global-declarations a declaration survives pop.
; RUN: parse --print
(set-option :global-declarations true)
(set-logic QF_LIA)
(push 1)
(declare-const x Int)
(pop 1)
(assert (> x 0))
(check-sat)
