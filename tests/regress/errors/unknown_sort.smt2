; RUN: parse
; EXPECT-ERROR: ...
(declare-const x Int)
(declare-const y Imt)
