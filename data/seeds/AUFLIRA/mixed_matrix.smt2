; A matrix of reals whose diagonal is bounded by a positive function.
(set-logic AUFLIRA)
(declare-const m (Array Int (Array Int Real)))
(declare-fun scale (Int) Real)
(declare-const i Int)
(assert (forall ((k Int)) (! (> (scale k) 0.0) :pattern ((scale k)))))
(assert (= (select (select m i) i) (- (scale i))))
(assert (>= (select (select m i) i) 0.0))
(check-sat)
