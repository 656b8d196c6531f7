; A script without set-logic may use every theory.
; RUN: parse --print
(declare-const s String)
(declare-const v (_ BitVec 8))
(declare-const x Real)
(assert (and (= (str.len s) 3) (bvult v #x10) (> x 0.5)))
(check-sat)
