; RUN: parse
; EXPECT-ERROR: 4:18: error: unknown sort 'Imt'
(declare-const x Int)
(declare-const y Imt)
