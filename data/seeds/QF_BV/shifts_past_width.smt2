; Shifts by the width and more, and rotations by a part of it.
(set-logic QF_BV)
(declare-const x (_ BitVec 7))
(declare-const s (_ BitVec 7))
(assert (bvuge s (_ bv7 7)))
(assert (= (bvashr x s) (bvnot (bvlshr x s))))
(assert (= (bvshl x s) (_ bv0 7)))
(assert (= (bvcomp ((_ rotate_right 3) x) ((_ rotate_left 4) x)) #b1))
(check-sat)
