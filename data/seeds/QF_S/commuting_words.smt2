; Words that commute are powers of one word.
(set-logic QF_S)
(declare-const x String)
(declare-const y String)
(assert (= (str.++ x y) (str.++ y x)))
(assert (str.in_re x (re.++ (str.to_re "a") re.all)))
(assert (str.in_re y (re.++ re.allchar (str.to_re "b") re.all)))
(assert (not (= (str.at x 0) (str.at y 0))))
(check-sat)
