; RUN: parse
; EXPECT-ERROR: 4:14: error: 'false' is a constant of the theory Core
(set-logic QF_UF)
(declare-fun false () Bool)
(assert false)
(check-sat)
