; An increasing function with too little room.
(set-logic UFLIA)
(declare-fun f (Int) Int)
(declare-const k Int)
(assert (forall ((i Int) (j Int)) (! (=> (< i j) (< (f i) (f j))) :pattern ((f i) (f j)))))
(assert (= (f 0) (- 1)))
(assert (and (< 0 (f k) (f 2)) (= (f 2) 2)))
(assert (distinct k 1))
(check-sat)
