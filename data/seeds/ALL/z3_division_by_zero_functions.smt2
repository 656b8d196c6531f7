; The functions that z3 keeps for divisions by zero.
(set-logic ALL)
(declare-const x (_ BitVec 4))
(declare-const y (_ BitVec 4))
(assert (= (bvudiv0 x) (bvadd y #x1)))
(assert (= (bvurem0 x) (bvsrem0 y)))
(assert (= (bvsdiv0 x) (bvsmod0 (bvnot x))))
(assert (bvslt x y))
(check-sat)
