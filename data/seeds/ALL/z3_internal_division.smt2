; The internal divisions of z3 against the standard ones.
(set-logic ALL)
(declare-const x (_ BitVec 4))
(declare-const y (_ BitVec 4))
(assert (distinct y #x0))
(assert (or (distinct (bvudiv_i x y) (bvudiv x y)) (distinct (bvurem_i x y) (bvurem x y))
  (distinct (bvsdiv_i x y) (bvsdiv x y)) (distinct (bvsrem_i x y) (bvsrem x y))
  (distinct (bvsmod_i x y) (bvsmod x y))))
(check-sat)
