; Testers, selectors and constructors around one value.
(set-logic QF_DT)
(declare-datatypes ((Nat 0)) (((zero) (succ (pred Nat)))))
(declare-const n Nat)
(declare-const m Nat)
(assert (= (pred n) (succ (succ m))))
(assert (or ((_ is zero) n) (= m (pred (pred (pred n))) zero)))
(assert (distinct n (succ (pred n)) (succ (succ (succ zero)))))
(check-sat)
