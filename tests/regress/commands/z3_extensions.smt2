; Commands that only z3 knows are kept.
; RUN: parse --print
(declare-const x Int)
(declare-const p Bool)
(assert (> x 3))
(assert-soft p :weight 2 :id goal)
(minimize (+ x 1))
(maximize x)
(check-sat-using (then simplify smt))
(get-objectives)
(simplify (+ x 0))
(eval (+ x 1))
(apply (then simplify solve-eqs))
(declare-tactic mine (then simplify smt))
