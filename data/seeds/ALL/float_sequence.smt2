; A sequence of floats, compared element by element.
(set-logic ALL)
(declare-const s (Seq (_ FloatingPoint 3 4)))
(assert (= (seq.len s) 2))
(assert (fp.lt (seq.nth s 0) (seq.nth s 1)))
(assert (= s (seq.++ (seq.extract s 1 1) (seq.at s 0))))
(check-sat)
