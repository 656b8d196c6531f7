; The overflow predicates against sums in wider words.
(set-logic ALL)
(declare-const x (_ BitVec 4))
(declare-const y (_ BitVec 4))
(assert (and (bvuaddo x y) (bvsaddo x y)))
(assert (xor (bvusubo x y) (bvssubo x y) (bvsmulo x y)))
(assert (= (bvumulo x y) (bvugt (bvmul ((_ zero_extend 4) x) ((_ zero_extend 4) y)) #x0f)))
(assert (not (bvsdivo x y)))
(check-sat)
