; Signed overflow where only the least value can cause it.
(set-logic ALL)
(declare-const x (_ BitVec 7))
(declare-const y (_ BitVec 7))
(assert (bvsdivo x y))
(assert (or (bvssubo (_ bv0 7) x) (bvsmulo y y)))
(assert (not (and (bvsmulo x y) (= (bvsdiv x y) x))))
(check-sat)
