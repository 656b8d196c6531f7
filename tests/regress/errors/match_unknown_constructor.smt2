; RUN: parse
; EXPECT-ERROR: 5:29: error: 'c' is not a constructor
(declare-datatypes ((D 0)) (((a) (b (n Int)))))
(declare-const d D)
(assert (match d ((a true) ((c k) (> k 0)) (x false))))
