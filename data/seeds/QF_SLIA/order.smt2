; The lexicographic order: prefixes come first, and nothing is between neighbours.
(set-logic QF_SLIA)
(declare-const s String)
(declare-const t String)
(assert (str.< s t))
(assert (str.<= t (str.++ s "\u{0}")))
(assert (or (not (= t (str.++ s (str.from_code 0)))) (str.<= t s)))
(assert (<= (str.len t) 1))
(check-sat)
