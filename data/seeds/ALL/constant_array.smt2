; A constant array and what two stores leave of it.
(set-logic ALL)
(declare-const a (Array Int Int))
(declare-const i Int)
(define-fun zeros () (Array Int Int) ((as const (Array Int Int)) 0))
(assert (= a (store (store zeros i 1) (+ i 1) (- 1))))
(assert (= (+ (select a 3) (select a 4) (select a 5)) 1))
(assert (distinct a zeros))
(check-sat)
