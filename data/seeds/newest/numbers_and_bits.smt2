; Needs z3 4.14.1, cvc5 1.3, no logic: signed and unsigned numbers of bits, and back.
(declare-const v (_ BitVec 4))
(declare-const w (_ BitVec 4))
(declare-const n Int)
(assert (= n (+ (ubv_to_int v) (sbv_to_int w))))
(assert (= ((_ int_to_bv 4) (* 3 n)) (bvor v #x1)))
(assert (< (sbv_to_int w) 0))
(assert (> n 2))
(check-sat)
