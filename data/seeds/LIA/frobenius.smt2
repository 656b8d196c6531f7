; Numbers that are not a sum of threes and fives.
(set-logic LIA)
(declare-const n Int)
(assert (forall ((a Int) (b Int)) (=> (and (>= a 0) (>= b 0)) (distinct (+ (* 3 a) (* 5 b)) n))))
(assert (> n 5))
(check-sat)
