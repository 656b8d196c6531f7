; A field of a record changed, the others left.
(set-logic ALL)
(declare-datatypes ((R 0)) (((rec (a Int) (b Bool)) (other (n Int)))))
(declare-const r R)
(declare-const s R)
(assert (= s ((_ update a) r 5)))
(assert (or (distinct (b s) (b r)) (and ((_ is rec) r) (= (a r) (a s) 4)) ((_ is other) s)))
(assert (=> ((_ is other) s) (distinct (n s) (n r))))
(check-sat)
