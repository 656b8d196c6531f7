; A word equation whose sides start differently.
(set-logic QF_S)
(declare-const x String)
(declare-const y String)
(assert (= (str.++ x "ab" y) (str.++ y "ba" x)))
(assert (= x (str.++ "a" (str.at y 0))))
(check-sat)
