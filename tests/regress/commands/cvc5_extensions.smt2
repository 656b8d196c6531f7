; Commands that only cvc5 knows are kept.
; RUN: parse --print
(set-logic ALL)
(declare-codatatypes ((Stream 0)) (((more (head Int) (rest Stream)))))
(declare-const s Stream)
(declare-const x Int)
(assert (= s (more x s)))
(block-model :literals)
(get-abduct A (> x 0))
(get-qe (exists ((y Int)) (= x (* 2 y))))
(get-timeout-core)
(check-sat)
