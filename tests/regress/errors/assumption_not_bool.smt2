; RUN: parse
; EXPECT-ERROR: 4:22: error: the term has sort Int, not Bool
(declare-const x Int)
(check-sat-assuming (x))
