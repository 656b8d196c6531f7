; A shift of a shift against a shift by the difference of the amounts.
(set-logic QF_BV)
(declare-const x (_ BitVec 8))
(declare-const s (_ BitVec 8))
(declare-const t (_ BitVec 8))
(assert (distinct (bvlshr (bvlshr x s) t) (bvlshr x (bvsub s t))))
(assert (bvuge (bvadd s t) s))
(assert (bvsle #x00 (bvashr x t)))
(check-sat)
