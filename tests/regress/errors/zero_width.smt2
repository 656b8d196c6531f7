; RUN: parse
; EXPECT-ERROR: 3:18: error: a BitVec sort of 0 bits
(declare-const v (_ BitVec 0))
