; An array of sets, written with unions.
(set-logic ALL)
(declare-const a (Array Int (Set Int)))
(declare-const i Int)
(declare-const j Int)
(assert (= (select a i) (set.union (select a j) (set.singleton i))))
(assert (not (set.member j (select a i))))
(assert (= (select (store a j (set.insert i (select a j))) i) (select a j)))
(check-sat)
