; An array of arrays, written at crossing places.
(set-logic QF_ALIA)
(declare-const g (Array Int (Array Int Int)))
(declare-const x Int)
(declare-const y Int)
(assert (= (store g x (store (select g x) y 5)) (store g y (store (select g y) x 5))))
(assert (not (= x y)))
(assert (< (select (select g x) y) (select (select g y) x)))
(check-sat)
