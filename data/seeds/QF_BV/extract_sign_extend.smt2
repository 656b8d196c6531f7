; Slices of extensions: below, across and above the old top bit.
(set-logic QF_BV)
(declare-const x (_ BitVec 5))
(declare-const y (_ BitVec 5))
(assert (= ((_ extract 7 3) ((_ sign_extend 4) x)) ((_ extract 7 3) ((_ zero_extend 4) y))))
(assert (bvslt x (_ bv0 5)))
(assert (= ((_ sign_extend 0) y) ((_ rotate_left 5) (bvor x (_ bv16 5)))))
(assert (bvult ((_ zero_extend 1) y) ((_ extract 5 0) ((_ repeat 2) y))))
(check-sat)
