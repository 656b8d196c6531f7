; RUN: parse
; EXPECT-ERROR: 4:14: error: 'x' is declared already with these argument sorts
(declare-const x Int)
(declare-fun x () Int)
