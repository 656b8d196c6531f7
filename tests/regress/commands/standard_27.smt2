; What SMT-LIB 2.7 adds: define-const, sort parameters, function sorts and lambda.
; RUN: parse --print
(set-logic ALL)
(define-const limit Int 100)
(declare-sort-parameter T)
(declare-fun pick (T T) T)
(declare-const f (-> Int Int))
(assert (= f (lambda ((x Int)) (+ x limit))))
(assert (= (pick 1 2) (pick limit 2)))
(check-sat)
