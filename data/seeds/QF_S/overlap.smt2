; Two words that overlap at both ends.
(set-logic QF_S)
(declare-const x String)
(declare-const y String)
(declare-const z String)
(assert (= (str.++ x "ab") (str.++ "ab" y)))
(assert (= (str.++ y z) (str.++ z "ab")))
(assert (distinct x y ""))
(check-sat)
