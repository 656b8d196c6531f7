; Rotations by more than the width, against each other.
(set-logic QF_BV)
(declare-const x (_ BitVec 7))
(declare-const y (_ BitVec 7))
(assert (= ((_ rotate_left 9) x) ((_ rotate_right 5) x)))
(assert (distinct ((_ rotate_left 2) y) ((_ rotate_left 0) y)))
(assert (= (bvxor x y) (bvand x ((_ rotate_right 7) y))))
(assert (bvugt (bvor ((_ rotate_left 6) x) ((_ rotate_right 1) y)) #b0110011))
(check-sat)
