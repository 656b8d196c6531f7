; RUN: parse
; EXPECT-ERROR: ...
(declare-const c Int)
(assert (= (c 1) 2))
