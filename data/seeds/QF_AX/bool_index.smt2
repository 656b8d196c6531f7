; Arrays over Booleans: two elements make the array.
(set-logic QF_AX)
(declare-const a (Array Bool Bool))
(declare-const b (Array Bool Bool))
(declare-const c (Array Bool Bool))
(declare-const p Bool)
(assert (distinct a b c (store a p (not (select a p)))))
(assert (= (select a true) (select b true) (select c true)))
(check-sat)
