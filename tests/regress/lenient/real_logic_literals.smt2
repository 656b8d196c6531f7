; In a logic without integers every numeral is a Real.
; RUN: parse --print
(set-logic QF_LRA)
(declare-const x Real)
(assert (= (* 2 x) 4))
(assert (< (/ 1 2) (- x 1 2) (- 7)))
(check-sat)
