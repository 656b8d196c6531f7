; A filter that keeps what it should drop.
(set-logic HO_ALL)
(declare-const s (Set Int))
(declare-const x Int)
(assert (set.member x (set.filter (lambda ((y Int)) (< (+ y y) 3)) s)))
(assert (or (> x 1) (not (set.member x s))))
(check-sat)
