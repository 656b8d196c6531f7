; Separation as cvc4 writes it: the empty heap names its sorts.
(set-option :incremental false)
(set-logic QF_ALL)
(declare-heap (Int Int))
(declare-const x Int)
(declare-const y Int)
(assert (sep (pto x 1) (or (pto y 2) (_ emp Int Int))))
(assert (=> (= x y) (wand (pto x 3) (_ emp Int Int))))
(check-sat)
