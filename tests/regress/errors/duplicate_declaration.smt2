; RUN: parse
; EXPECT-ERROR: ...
(declare-const x Int)
(declare-fun x () Int)
