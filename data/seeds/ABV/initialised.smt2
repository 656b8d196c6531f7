; A memory that is zero from some address on.
(set-logic ABV)
(declare-const m (Array (_ BitVec 3) (_ BitVec 4)))
(declare-const n (_ BitVec 3))
(assert (forall ((i (_ BitVec 3))) (=> (bvuge i n) (= (select m i) #x0))))
(assert (exists ((i (_ BitVec 3))) (= (select m i) #xf)))
(assert (bvult n #b010))
(assert (= (select m #b001) (bvudiv (select m #b000) (select m #b111))))
(check-sat)
