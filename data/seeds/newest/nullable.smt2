; Needs cvc5 1.2: values that may be missing.
(set-logic ALL)
(declare-const a (Nullable Int))
(declare-const b (Nullable Int))
(assert (nullable.is_some a))
(assert (= (nullable.val a) 3))
(assert (or (nullable.is_null b) (= a b)))
(assert (not (= b (as nullable.null (Nullable Int)))))
(check-sat)
