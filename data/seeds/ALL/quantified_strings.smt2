; Quantifiers over strings, bounded by a prefix and by a regular expression.
(set-logic ALL)
(declare-const s String)
(declare-fun f (String) Int)
(assert (forall ((t String)) (! (=> (str.prefixof t s) (<= (f t) (str.len t) 2)) :pattern ((f t)))))
(assert (or (> (f s) 1) (= (f (str.substr s 0 3)) (- 5))))
(assert (exists ((u String)) (and (str.in_re u (re.+ (str.to_re "ab"))) (= s (str.++ u "a" u)))))
(check-sat)
