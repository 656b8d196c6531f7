; RUN: parse
; EXPECT-ERROR: 5:14: error: '+' cannot take (Int Bool): it is (+ Int Int Int :left-assoc) or (+ Real Real Real :left-assoc)
(set-logic QF_LIA)
(declare-const x Int)
(assert (= 0 (+ x
               true)))
(check-sat)
