; What a division by zero gives is divided again.
(set-logic QF_BV)
(declare-const x (_ BitVec 6))
(declare-const z (_ BitVec 6))
(assert (= z (bvand x (bvnot x))))
(assert (distinct (bvudiv (bvudiv x z) (bvurem x z)) (bvudiv (bvnot z) x)))
(check-sat)
