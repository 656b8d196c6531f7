; Floats of z3 out of parts, exponents and integers, and their bits.
(set-logic ALL)
(declare-const e (_ BitVec 3))
(declare-const m (_ BitVec 3))
(define-fun x () (_ FloatingPoint 3 4) ((_ to_fp 3 4) #b1 e m))
(assert (= ((_ extract 5 3) (fp.to_ieee_bv x)) (bvadd e (bvnot #b111))))
(assert (fp.leq ((_ to_fp 3 4) RNE (- 1.5) 2) x ((_ to_fp 3 4) RTZ 1 (- 0.5))))
(assert (distinct m #b000 ((_ extract 5 3) (fp.to_ieee_bv (fp.neg x)))))
(check-sat)
