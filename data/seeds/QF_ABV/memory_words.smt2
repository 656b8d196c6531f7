; Two-byte words in a memory of bytes whose addresses wrap around.
(set-logic QF_ABV)
(define-sort Memory () (Array (_ BitVec 8) (_ BitVec 8)))
(declare-const m Memory)
(declare-const p (_ BitVec 8))
(define-fun load16 ((h Memory) (a (_ BitVec 8))) (_ BitVec 16)
  (concat (select h (bvadd a #x01)) (select h a)))
(define-fun store16 ((h Memory) (a (_ BitVec 8)) (v (_ BitVec 16))) Memory
  (store (store h a ((_ extract 7 0) v)) (bvadd a #x01) ((_ extract 15 8) v)))
(assert (= p #xff))
(assert (distinct (load16 (store16 m p #xbeef) #x00) #x00be #xffbe))
(assert (= (load16 m #x00) (load16 m p)))
(check-sat)
