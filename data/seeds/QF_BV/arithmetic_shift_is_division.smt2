; An arithmetic shift against a signed division by two.
(set-logic QF_BV)
(declare-const x (_ BitVec 9))
(assert (distinct (bvashr x (_ bv1 9)) (bvsdiv x (_ bv2 9))))
(assert (= (bvsmod x (_ bv2 9)) (bvneg (bvsrem x (_ bv2 9)))))
(assert (bvsge x (bvneg (_ bv7 9))))
(check-sat)
