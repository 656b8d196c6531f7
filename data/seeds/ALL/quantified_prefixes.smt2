; A string all of whose short substrings are known.
(set-logic ALL)
(declare-const s String)
(assert (forall ((i Int)) (=> (<= 0 i 3) (str.in_re (str.substr s i 1) (re.range "a" "b")))))
(assert (= (str.at s 2) "c"))
(assert (exists ((t String)) (and (= (str.++ t t) s) (= (str.len t) 2))))
(check-sat)
