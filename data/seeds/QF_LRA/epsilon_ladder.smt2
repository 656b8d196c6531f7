; Strict and weak bounds in turn: there is no least real above another.
(set-logic QF_LRA)
(declare-const a Real)
(declare-const b Real)
(declare-const c Real)
(assert (< a b))
(assert (<= b (* 0.5 (+ a c))))
(assert (or (< c b) (and (= c b) (> a 0.0)) (= (- c a) (* 1.5 (- b a)))))
(check-sat)
