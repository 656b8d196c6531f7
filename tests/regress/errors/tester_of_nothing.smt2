; RUN: parse
; EXPECT-ERROR: 5:9: error: 'c' is not a constructor
(declare-datatypes ((D 0)) (((a) (b (n Int)))))
(declare-const d D)
(assert ((_ is c) d))
