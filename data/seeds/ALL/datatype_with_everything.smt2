; A record of a real, a bit-vector, a string and a float.
(set-logic ALL)
(declare-datatypes ((R 0)) (((mk (r Real) (b (_ BitVec 3)) (s String) (f (_ FloatingPoint 3 4))))))
(declare-const x R)
(declare-const y R)
(assert (= (mk (r y) (bvadd (b x) #b001) (str.++ (s x) "a") (fp.neg (f x))) y))
(assert (or (= (b x) (b y)) (= (s x) (s y)) (and (= (f x) (f y)) (> (r x) (r y)))))
(check-sat)
