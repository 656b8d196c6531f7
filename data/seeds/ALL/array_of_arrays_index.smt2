; An array whose indices are arrays.
(set-logic ALL)
(declare-const m (Array (Array Int Int) Int))
(declare-const a (Array Int Int))
(declare-const i Int)
(assert (= (select m (store a i 1)) (+ 1 (select m a))))
(assert (= (select a i) (select m (store a i (select a i)))))
(assert (distinct (select (store m a 2) (store (store a i 1) i (select a i))) 2))
(check-sat)
