; RUN: parse
; EXPECT-ERROR: 5:9: error: 'is' cannot take (D): it is (par (D) ((_ is c) D Bool :rule is))
(declare-datatypes ((D 0)) (((a) (b (n Int)))))
(declare-const d D)
(assert ((_ is c) d))
