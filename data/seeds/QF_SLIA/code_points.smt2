; Codes at the limits: minus one, zero, the last one and the one after it.
(set-logic QF_SLIA)
(declare-const s String)
(declare-const n Int)
(assert (= s (str.from_code n)))
(assert (= (str.to_code (str.++ s (str.from_code (+ n 1)))) 196607))
(assert (or (= s (str.from_code (- 1))) (str.<= "~" s)))
(assert (not (= (str.to_code s) n)))
(check-sat)
