; Nested and constant arrays.
; RUN: parse --print
; EXPECT: (set-logic ALL)
; EXPECT: (define-sort Row () (Array Int Bool))
; EXPECT: (declare-const m (Array Int (Array Int Bool)))
; EXPECT: (assert (= (select m 0) ((as const (Array Int Bool)) true)))
; EXPECT: (assert (= (store m 1 (store (select m 1) 2 false)) ((as const (Array Int (Array Int Bool))) (select m 3))))
; EXPECT: (check-sat)
(set-logic ALL)
(define-sort Row () (Array Int Bool))
(declare-const m (Array Int Row))
(assert (= (select m 0) ((as const (Array Int Bool)) true)))
(assert (= (store m 1 (store (select m 1) 2 false)) ((as const (Array Int Row)) (select m 3))))
(check-sat)
