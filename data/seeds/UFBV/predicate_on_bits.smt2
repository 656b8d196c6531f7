; A predicate that is closed under shifting.
(set-logic UFBV)
(declare-fun p ((_ BitVec 8)) Bool)
(declare-const x (_ BitVec 8))
(assert (forall ((y (_ BitVec 8))) (! (=> (p y) (p (bvlshr y #x01))) :pattern ((p y)))))
(assert (p x))
(assert (not (p (bvlshr (bvlshr x #x01) #x01))))
(check-sat)
