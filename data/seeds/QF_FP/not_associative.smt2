; A sum that depends on the order of its terms.
(set-logic QF_FP)
(declare-const a (_ FloatingPoint 3 4))
(declare-const b (_ FloatingPoint 3 4))
(declare-const c (_ FloatingPoint 3 4))
(assert (not (= (fp.add RNE a (fp.add RNE b c)) (fp.add RNE (fp.add RNE a b) c))))
(assert (fp.lt (_ +zero 3 4) a b c))
(assert (not (fp.isInfinite (fp.add RNA a (fp.add RNA b c)))))
(check-sat)
