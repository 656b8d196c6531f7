; RUN: parse
; EXPECT-ERROR: ...
(declare-const p Bool)
(assert (= 1 (ite p 1 "one")))
