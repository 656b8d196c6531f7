; RUN: parse
; EXPECT-ERROR: ...
(declare-datatypes ((D 0)) (((a) (b (n Int)))))
(declare-const d D)
(assert ((_ is c) d))
