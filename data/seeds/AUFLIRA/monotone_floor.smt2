; The floor is monotone along a real function.
(set-logic AUFLIRA)
(declare-fun f (Int) Real)
(declare-const n Int)
(assert (forall ((i Int) (j Int)) (! (=> (<= i j) (<= (f i) (f j))) :pattern ((f i) (f j)))))
(assert (< (to_int (f (+ n 1))) (to_int (f n))))
(check-sat)
