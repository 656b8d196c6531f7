; Patterns, names and unknown attributes stay where they are.
; RUN: parse --print
(set-logic UFLIA)
(declare-fun f (Int) Int)
(declare-fun g (Int Int) Int)
(assert (forall ((x Int) (y Int))
  (! (= (g x y) (f (+ x y))) :pattern ((g x y)) :pattern ((f x) (f y))
     :weight 10 :qid |a name| :skolemid s1)))
(assert (forall ((x Int)) (! (< (f x) (g x x)) :no-pattern (f x))))
(assert (! (exists ((x Int)) (! (> (f x) 0) :mine (a "b" (c)))) :named some))
(check-sat)
