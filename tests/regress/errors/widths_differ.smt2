; RUN: parse
; EXPECT-ERROR: 5:14: error: 'bvadd' cannot take ((_ BitVec 8) (_ BitVec 1)): it is (bvadd (_ BitVec m) (_ BitVec m) (_ BitVec m) :left-assoc)
(set-logic QF_BV)
(declare-const v (_ BitVec 8))
(assert (= v (bvadd v #b1)))
