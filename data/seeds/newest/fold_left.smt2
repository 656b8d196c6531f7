; Needs z3 4.13.3, no logic: the sum of a sequence that is known by its doubles.
(declare-const s (Seq Int))
(declare-const n Int)
(assert (= n (seq.fold_left (lambda ((a Int) (x Int)) (+ a x)) 0 s)))
(assert (= (seq.map (lambda ((x Int)) (* 2 x)) s) (seq.++ (seq.unit 4) (seq.unit 6))))
(assert (> n 4))
(check-sat)
