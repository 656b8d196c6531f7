; A finite type with four values has no five distinct ones.
(set-logic QF_DT)
(declare-datatypes ((B 0) (P 0)) (((t) (f)) ((p (x B) (y B)))))
(declare-const a P)
(declare-const b P)
(declare-const c P)
(declare-const d P)
(assert (distinct a b c d (p t f)))
(check-sat)
