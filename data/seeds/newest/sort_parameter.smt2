; Needs z3 4.13, no logic: a function for all sorts, at two of them.
(declare-sort-parameter X)
(declare-fun same (X X) Bool)
(declare-const i Int)
(declare-const b Bool)
(assert (same i 3))
(assert (not (same b true)))
(assert (=> (same i i) (> i 3)))
(check-sat)
