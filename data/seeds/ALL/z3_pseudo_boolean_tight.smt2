; Weights that leave no choice.
(set-logic ALL)
(declare-const a Bool)
(declare-const b Bool)
(declare-const c Bool)
(assert ((_ pbeq 4 1 2 3) a b c))
(assert ((_ at-most 1) (and a c) (xor b c) a))
(check-sat)
