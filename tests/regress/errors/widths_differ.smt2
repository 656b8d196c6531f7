; RUN: parse
; EXPECT-ERROR: ...
(set-logic QF_BV)
(declare-const v (_ BitVec 8))
(assert (= v (bvadd v #b1)))
