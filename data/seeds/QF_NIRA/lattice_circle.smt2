; Integer points on a circle with a real radius.
(set-logic QF_NIRA)
(declare-const i Int)
(declare-const j Int)
(declare-const r Real)
(assert (= (* r r) (to_real (+ (* i i) (* j j)))))
(assert (and (< 0 i j) (< 4.5 r 5.5)))
(assert (= (to_int r) (+ i 2)))
(check-sat)
