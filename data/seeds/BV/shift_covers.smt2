; A shift that brings every word to zero.
(set-logic BV)
(declare-const s (_ BitVec 5))
(assert (forall ((x (_ BitVec 5))) (= (bvshl x s) (bvlshr x s))))
(assert (distinct s (_ bv31 5) (_ bv16 5)))
(assert (exists ((y (_ BitVec 5))) (and (bvslt y s) (= (bvashr y s) (bvnot (_ bv0 5))))))
(check-sat)
