; The place where two arrays differ.
(set-logic ALL)
(declare-const a (Array Int Int))
(declare-const b (Array Int Int))
(declare-const i Int)
(assert (= b (store a i (+ 1 (select a i)))))
(assert (distinct (array-ext a b) i))
(assert (> (select b i) ((_ array-ext 0) b a)))
(check-sat)
