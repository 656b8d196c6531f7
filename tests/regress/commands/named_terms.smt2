; A named term is a function without arguments from then on.
; RUN: parse --print
; EXPECT: (set-logic QF_LIA)
; EXPECT: (declare-const x Int)
; EXPECT: (assert (! (> (! (+ x 1) :named next) 0) :named positive))
; EXPECT: (assert (=> positive (< next 10)))
; EXPECT: (check-sat-assuming (positive))
(set-logic QF_LIA)
(declare-const x Int)
(assert (! (> (! (+ x 1) :named next) 0) :named positive))
(assert (=> positive (< next 10)))
(check-sat-assuming (positive))
