; Chains of extract and concat that cross their borders.
(set-logic QF_BV)
(declare-const x (_ BitVec 7))
(declare-const y (_ BitVec 3))
(define-fun w () (_ BitVec 13) (concat y x y))
(assert (= ((_ extract 11 8) w) (concat ((_ extract 1 0) y) ((_ extract 6 5) x))))
(assert (= ((_ extract 4 1) (concat ((_ extract 5 2) x) ((_ extract 2 1) y))) #b1011))
(assert (bvule ((_ extract 9 3) w) (bvnot x)))
(check-sat)
