; Sequences of bit-vectors, sliced and searched.
(set-logic ALL)
(declare-const s (Seq (_ BitVec 3)))
(declare-const b (_ BitVec 3))
(assert (= (seq.len s) 3))
(assert (= (seq.nth s 0) (bvadd (seq.nth s 2) b)))
(assert (= (seq.indexof s (seq.unit b) 1) 2))
(assert (= (seq.++ (seq.extract s 1 2) (seq.at s 0)) (seq.++ (seq.unit #b101) (seq.extract s 0 2))))
(check-sat)
