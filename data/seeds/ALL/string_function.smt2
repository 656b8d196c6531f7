; A function on strings with known values under a quantifier.
(set-logic ALL)
(declare-fun f (String) String)
(declare-const a String)
(assert (forall ((x String)) (! (= (f x) (str.++ "<" x ">")) :pattern ((f x)))))
(assert (= (f (f a)) (str.replace "<?>" "?" (f "b"))))
(assert (not (= a "b")))
(check-sat)
