; RUN: parse
; EXPECT-ERROR: 5:9: error: 'c' is no constructor
(declare-datatypes ((D 0)) (((a) (b (n Int)))))
(declare-const d D)
(assert ((_ is c) d))
