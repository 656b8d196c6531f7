; match over expressions with selectors on the wrong constructor.
(set-logic QF_UFDTLIA)
(declare-datatypes ((Expr 0))
  (((lit (value Int)) (neg (body Expr)) (plus (lhs Expr) (rhs Expr)))))
(declare-const e Expr)
(define-fun weight ((x Expr)) Int
  (match x (((lit n) n) ((neg y) (- (value y))) ((plus y z) (+ (value y) (value z))))))
(assert (= (weight e) (- 3)))
(assert (match e (((plus a b) (> (value a) (value b))) (other (distinct other (lit (- 3)))))))
(check-sat)
