; reset forgets everything.
; RUN: parse --print
(set-logic QF_LIA)
(declare-const x Int)
(assert (> x 0))
(check-sat)
(reset)
(set-logic QF_BV)
(declare-const x (_ BitVec 4))
(assert (bvugt x #x0))
(check-sat)
