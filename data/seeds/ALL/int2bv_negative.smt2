; Negative integers as bit-vectors, and back.
(set-logic ALL)
(declare-const n Int)
(declare-const m Int)
(assert (= ((_ int2bv 3) n) (bvnot ((_ int2bv 3) m))))
(assert (distinct (+ n m) (- 1)))
(assert (<= (- 8) n m 7))
(assert (= (bv2nat ((_ int2bv 3) (- n))) (mod (* 5 m) 8)))
(check-sat)
