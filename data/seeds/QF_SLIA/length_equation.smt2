; Lengths that only fit when a word is empty.
(set-logic QF_SLIA)
(declare-const x String)
(declare-const y String)
(assert (= (str.++ x y x) (str.++ y "ab" y)))
(assert (= (* 2 (str.len x)) (+ (str.len y) 2)))
(assert (> (str.len y) 1))
(check-sat)
