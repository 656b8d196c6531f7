; An array from bits to wide words, and slices of what it holds.
(set-logic QF_ABV)
(declare-const a (Array (_ BitVec 2) (_ BitVec 33)))
(declare-const i (_ BitVec 2))
(assert (= ((_ extract 32 31) (select a i)) (bvadd i #b01)))
(assert (= (select a ((_ extract 32 31) (select a i))) (bvnot (select a i))))
(assert (= (store a i (select a #b00)) (store a #b11 (select a i))))
(check-sat)
