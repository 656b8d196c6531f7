; A property of all lists, by quantifiers over a datatype.
(set-logic UFDT)
(declare-datatypes ((Nat 0)) (((z) (s (p Nat)))))
(declare-fun even (Nat) Bool)
(assert (forall ((n Nat)) (! (= (even (s n)) (not (even n))) :pattern ((even (s n))))))
(assert (even z))
(assert (not (even (s (s (s (s z)))))))
(check-sat)
