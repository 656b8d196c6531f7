; RUN: parse
; EXPECT-ERROR: ...
(declare-const s String)
(declare-const v (_ BitVec 8))
(assert (= s v))
