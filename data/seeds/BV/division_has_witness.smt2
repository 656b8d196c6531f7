; Division with remainder, for all dividends of four bits.
(set-logic BV)
(declare-const d (_ BitVec 4))
(assert (forall ((n (_ BitVec 4)))
  (exists ((q (_ BitVec 4)) (r (_ BitVec 4)))
    (and (= n (bvadd (bvmul q d) r)) (bvult r d) (not (bvugt q n))))))
(assert (= d #x0))
(check-sat)
