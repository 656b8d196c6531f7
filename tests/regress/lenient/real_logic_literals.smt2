; In a logic without integers every numeral is a Real.
; RUN: parse --print
; EXPECT: (set-logic QF_LRA)
; EXPECT: (declare-const x Real)
; EXPECT: (assert (= (* 2.0 x) 4.0))
; EXPECT: (assert (< (/ 1.0 2.0) (- x 1.0 2.0) (- 7.0)))
; EXPECT: (check-sat)
(set-logic QF_LRA)
(declare-const x Real)
(assert (= (* 2 x) 4))
(assert (< (/ 1 2) (- x 1 2) (- 7)))
(check-sat)
