; RUN: parse
; EXPECT-ERROR: 4:12: error: 'c' cannot take (Int): it is (c)
(declare-const c Int)
(assert (= (c 1) 2))
