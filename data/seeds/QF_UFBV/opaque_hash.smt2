; An unknown function on complements.
(set-logic QF_UFBV)
(declare-fun hash ((_ BitVec 8)) (_ BitVec 4))
(declare-const k (_ BitVec 8))
(declare-const m (_ BitVec 8))
(assert (= (hash k) (bvnot (hash (bvnot k)))))
(assert (= (bvxor k m) #xff))
(assert (= (hash m) (hash k)))
(check-sat)
