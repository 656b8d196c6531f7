; Two constant arrays that would be equal after finitely many stores.
(set-logic ALL)
(declare-const i Int)
(declare-const j Int)
(define-fun ones () (Array Int Real) ((as const (Array Int Real)) 1.0))
(define-fun twos () (Array Int Real) ((as const (Array Int Real)) 2.0))
(assert (= (store (store ones i 2.0) j 2.0) (store (store twos i 2.0) j 1.0)))
(check-sat)
