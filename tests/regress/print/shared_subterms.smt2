; Big shared subterms come back as let, small ones stay in place.
; RUN: parse --print
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(assert (let ((a (+ x y)))
  (let ((b (* 3 (+ a (ite (> a 0) (- a 7) (- 7 a))))))
    (let ((c (+ b b (* 2 b)))) (and (< c (+ c b)) (> (+ c c c) b))))))
(assert (let ((t (+ x 1))) (= (+ t t) (* 2 t))))
(check-sat)
