; RUN: parse
; EXPECT-ERROR: ...
(set-logic QF_BV)
(declare-const v (_ BitVec 8))
(assert (= #b1 ((_ extract 8 8) v)))
