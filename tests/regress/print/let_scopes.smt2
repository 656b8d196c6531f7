; Bindings of one let are parallel, inner ones hide outer ones, and no variable is captured.
; RUN: parse --print
(set-logic LIA)
(declare-const x Int)
(declare-const y Int)
(assert (let ((x y) (y x)) (< x y)))
(assert (let ((z (+ x 1))) (forall ((x Int)) (let ((y (+ x z))) (exists ((z Int)) (= y z x))))))
(check-sat)
