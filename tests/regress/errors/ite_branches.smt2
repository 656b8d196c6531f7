; RUN: parse
; EXPECT-ERROR: 4:14: error: 'ite' cannot take (Bool Int String): it is (par (A) (ite Bool A A A))
(declare-const p Bool)
(assert (= 1 (ite p 1 "one")))
