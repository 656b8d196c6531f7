; RUN: parse
; EXPECT-ERROR: 5:9: error: the cases of match leave out 'a'
(declare-datatypes ((D 0)) (((a) (b (n Int)))))
(declare-const d D)
(assert (match d (((b k) (> k 0)))))
