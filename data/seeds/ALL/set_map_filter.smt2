; Functions over sets: mapping, filtering and folding.
(set-logic HO_ALL)
(declare-const s (Set Int))
(declare-const t (Set Int))
(assert (= s (set.insert 1 (- 1) (set.singleton 2))))
(assert (= t (set.map (lambda ((x Int)) (* x x)) s)))
(assert (= (set.filter (lambda ((x Int)) (> x 1)) t) (set.singleton 4)))
(assert (= (set.fold (lambda ((x Int) (y Int)) (+ x y)) 0 s) 2))
(check-sat)
