; Operators that only some solvers know.
; RUN: parse --print
(set-logic ALL)
(declare-const q (Seq Int))
(declare-const s (Set Int))
(declare-const b (Bag Int))
(assert (= q (seq.++ (seq.unit 1) (as seq.empty (Seq Int)))))
(assert (set.member 1 (set.union s (set.singleton 2))))
(assert (= (bag.count 3 (bag.union_max b (bag 3 2))) (set.card s)))
(assert (distinct s (as set.empty (Set Int))))
(check-sat)
