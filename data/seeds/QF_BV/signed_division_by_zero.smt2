; Signed division by zero is one or minus one, by the sign of the dividend.
(set-logic QF_BV)
(declare-const x (_ BitVec 5))
(declare-const y (_ BitVec 5))
(assert (= y (bvsub x x)))
(assert (not (= (bvsdiv x y) (ite (bvslt x y) #b00001 #b11111))))
(assert (or (= (bvsmod x y) x) (= (bvsrem x y) y)))
(check-sat)
