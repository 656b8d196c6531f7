; Somebody who decides for all: a closed formula that holds in every domain, denied.
(set-logic UF)
(declare-sort U 0)
(declare-fun d (U) Bool)
(declare-fun e (U) Bool)
(assert (not (exists ((x U)) (=> (d x) (forall ((y U)) (d y))))))
(assert (forall ((x U)) (xor (d x) (e x))))
(check-sat)
