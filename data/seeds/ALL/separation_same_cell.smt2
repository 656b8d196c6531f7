; The same cell cannot be on both sides.
(set-option :incremental false)
(set-logic ALL)
(declare-heap (Int Int))
(declare-const x Int)
(declare-const y Int)
(assert (sep (pto x 1) (pto y 1)))
(assert (or (= x y) (= y (as sep.nil Int))))
(check-sat)
