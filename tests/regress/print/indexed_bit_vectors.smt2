; Indexed operators of every shape.
; RUN: parse --print
(set-logic QF_BV)
(declare-const v (_ BitVec 8))
(assert (= ((_ extract 7 4) v) ((_ extract 3 0) ((_ rotate_left 4) v))))
(assert (= ((_ zero_extend 0) v) ((_ rotate_right 16) v)))
(assert (= ((_ sign_extend 8) v) (concat #x00 v) ((_ repeat 2) v)))
(assert (bvslt (bvsmod v (bvneg v)) (bvashr v (bvnot v))))
(check-sat)
