; The number a concatenation stands for, denied.
(set-logic ALL)
(declare-const h (_ BitVec 3))
(declare-const l (_ BitVec 5))
(assert (distinct (bv2nat (concat h l)) (+ (* 32 (bv2nat h)) (bv2nat l))))
(check-sat)
