; All divisions and remainders where the divisor may be zero.
(set-logic QF_BV)
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(assert (= (bvudiv x y) #xff))
(assert (= (bvurem x y) x))
(assert (not (= (bvsdiv x y) (bvudiv x y))))
(assert (or (= y #x00) (= (bvsrem x y) (bvsmod x y))))
(check-sat)
