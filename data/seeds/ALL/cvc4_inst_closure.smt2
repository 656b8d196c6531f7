; A term marked for local theory extensions, as cvc4 has it.
(set-logic ALL)
(declare-sort U 0)
(declare-fun f (U) U)
(declare-const a U)
(assert (inst-closure (f a)))
(assert (= (f (f a)) a))
(assert (distinct (f (f (f a))) (f a)))
(check-sat)
