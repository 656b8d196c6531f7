; RUN: parse
; EXPECT-ERROR: 5:16: error: 'extract' has 2 indices, not 1
(set-logic QF_BV)
(declare-const v (_ BitVec 8))
(assert (= #b1 ((_ extract 3) v)))
