; Special relations: a partial order. z3 has them where no logic is set.
(declare-sort U 0)
(declare-const a U)
(declare-const b U)
(declare-const c U)
(assert (and ((_ partial-order 0) a b) ((_ partial-order 0) b c)))
(assert (or (not ((_ partial-order 0) a c)) (and ((_ partial-order 0) c a) (distinct a b))))
(check-sat)
