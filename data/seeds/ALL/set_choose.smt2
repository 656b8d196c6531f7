; An element chosen from a set, and sets with one element.
(set-logic ALL)
(declare-const s (Set Int))
(declare-const t (Set Int))
(assert (set.is_singleton (set.minus s t)))
(assert (distinct (set.choose (set.minus s t)) (set.choose s)))
(assert (not (set.member (set.choose s) t)))
(assert (distinct s (as set.empty (Set Int))))
(check-sat)
