; Constant arrays compared with written ones, over a finite index.
(set-logic ALL)
(declare-const a (Array (_ BitVec 1) Int))
(declare-const i (_ BitVec 1))
(assert (= (store (store a i 4) (bvnot i) 4) ((as const (Array (_ BitVec 1) Int)) 4)))
(assert (distinct a ((as const (Array (_ BitVec 1) Int)) 4)))
(assert (= (select a #b0) (+ (select a #b1) 1)))
(check-sat)
