; The two zeros of single precision: equal as numbers, different as values.
(set-logic QF_FP)
(declare-const x Float32)
(declare-const y Float32)
(assert (fp.eq x y))
(assert (not (= x y)))
(assert (fp.isNegative x))
(assert (fp.isInfinite (fp.div RNE ((_ to_fp 8 24) RNE 1.0) x)))
(check-sat)
