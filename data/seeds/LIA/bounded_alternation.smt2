; A game of two moves: for every answer there is a reply.
(set-logic LIA)
(declare-const n Int)
(assert (forall ((a Int)) (=> (<= 1 a 3) (exists ((b Int)) (and (<= 1 b 3) (= (+ a b) n))))))
(assert (distinct n 4))
(check-sat)
