; One argument or many where the standard wants two.
; RUN: parse --print
(set-logic ALL)
(declare-const a Int)
(declare-const b Int)
(declare-const p Bool)
(declare-const v (_ BitVec 4))
(assert (= (- a b 1 2) (+ a) (* b)))
(assert (and p))
(assert (or p))
(assert (=> p p p))
(assert (= (bvadd v v v) (bvor v v #x1) (bvxor v v v)))
(assert (> a b 0))
(check-sat)
