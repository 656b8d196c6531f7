; Every word is a concatenation, and its parts are unique.
(set-logic BV)
(declare-const w (_ BitVec 6))
(assert (exists ((h (_ BitVec 2)) (l (_ BitVec 4)))
  (and (= w (concat h l)) (= l ((_ sign_extend 2) h)) (distinct h #b00))))
(assert (forall ((h (_ BitVec 2)) (l (_ BitVec 4))) (=> (= (concat h l) w) (bvslt l #x0))))
(check-sat)
