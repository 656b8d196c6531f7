; Decimals that no float represents, rounded both ways.
(set-logic QF_FP)
(declare-const x Float16)
(assert (fp.lt ((_ to_fp 5 11) RTN 0.1) x ((_ to_fp 5 11) RTP 0.2)))
(assert (= (fp.mul RNE x ((_ to_fp 5 11) RNE 0.3333333)) ((_ to_fp 5 11) RNE 0.05)))
(assert (not (fp.isSubnormal (fp.sub RNE x ((_ to_fp 5 11) RTZ 0.15)))))
(check-sat)
