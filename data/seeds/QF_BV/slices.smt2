; Slices of a word put together in another order.
(set-logic QF_BV)
(declare-const w (_ BitVec 24))
(define-fun byte0 () (_ BitVec 8) ((_ extract 7 0) w))
(define-fun byte2 () (_ BitVec 8) ((_ extract 23 16) w))
(assert (= (concat byte2 ((_ extract 15 8) w) byte0) ((_ rotate_left 8) w)))
(assert (= ((_ repeat 3) byte0) ((_ sign_extend 1) ((_ extract 22 0) w))))
(assert (distinct w (_ bv0 24) ((_ zero_extend 23) #b1)))
(check-sat)
