; A script without set-logic may use every theory.
; RUN: parse --print
; EXPECT: (set-logic ALL)
; EXPECT: (declare-const s String)
; EXPECT: (declare-const v (_ BitVec 8))
; EXPECT: (declare-const x Real)
; EXPECT: (assert (and (= (str.len s) 3) (bvult v #x10) (> x 0.5)))
; EXPECT: (check-sat)
(declare-const s String)
(declare-const v (_ BitVec 8))
(declare-const x Real)
(assert (and (= (str.len s) 3) (bvult v #x10) (> x 0.5)))
(check-sat)
