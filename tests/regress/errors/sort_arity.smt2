; RUN: parse
; EXPECT-ERROR: 3:19: error: sort 'Array' takes 2 arguments, not 1
(declare-const a (Array Int))
