; Equal arrays after stores at neighbouring places.
(set-logic QF_ALIA)
(declare-const a (Array Int Int))
(declare-const b (Array Int Int))
(declare-const i Int)
(assert (= (store a i 0) (store b (+ i 1) 1)))
(assert (or (distinct (select a (+ i 1)) 1) (distinct (select b i) 0)))
(check-sat)
