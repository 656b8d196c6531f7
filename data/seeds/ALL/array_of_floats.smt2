; An array indexed by floats: minus zero and zero are two indices.
(set-logic ALL)
(declare-const a (Array (_ FloatingPoint 3 4) Int))
(declare-const x (_ FloatingPoint 3 4))
(declare-const y (_ FloatingPoint 3 4))
(assert (fp.eq x y))
(assert (distinct (select a x) (select a y)))
(assert (= (select (store a (_ NaN 3 4) 5) (fp.sub RNE x x)) (select a y) 5))
(check-sat)
