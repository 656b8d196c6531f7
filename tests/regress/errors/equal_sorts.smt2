; RUN: parse
; EXPECT-ERROR: 5:9: error: '=' cannot take (String (_ BitVec 8)): it is (par (A) (= A A Bool :chainable))
(declare-const s String)
(declare-const v (_ BitVec 8))
(assert (= s v))
