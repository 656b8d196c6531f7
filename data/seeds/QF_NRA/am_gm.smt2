; The arithmetic mean below the geometric one.
(set-logic QF_NRA)
(declare-const a Real)
(declare-const b Real)
(assert (< (* (+ a b) (+ a b)) (* 4.0 a b)))
(assert (and (> a 0.0) (< b 3.0)))
(check-sat)
