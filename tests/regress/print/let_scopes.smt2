; Bindings of one let are parallel, inner ones hide outer ones, and no variable is captured.
; RUN: parse --print
; EXPECT: (set-logic LIA)
; EXPECT: (declare-const x Int)
; EXPECT: (declare-const y Int)
; EXPECT: (assert (< y x))
; EXPECT: (assert (forall ((x!1 Int)) (exists ((z Int)) (= (+ x!1 (+ x 1)) z x!1))))
; EXPECT: (check-sat)
(set-logic LIA)
(declare-const x Int)
(declare-const y Int)
(assert (let ((x y) (y x)) (< x y)))
(assert (let ((z (+ x 1))) (forall ((x Int)) (let ((y (+ x z))) (exists ((z Int)) (= y z x))))))
(check-sat)
