; RUN: parse
; EXPECT-ERROR: 5:16: error: 'extract' cannot take ((_ BitVec 8)): it is ((_ extract i j) (_ BitVec m) (_ BitVec (+ (- i j) 1)) :where (<= j i) (< i m))
(set-logic QF_BV)
(declare-const v (_ BitVec 8))
(assert (= #b1 ((_ extract 3) v)))
