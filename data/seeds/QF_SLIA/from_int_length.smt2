; The number of digits of a number.
(set-logic QF_SLIA)
(declare-const n Int)
(declare-const m Int)
(assert (= (str.len (str.from_int n)) 2))
(assert (= (str.++ (str.from_int n) (str.from_int m)) "1007"))
(assert (distinct (str.to_int (str.++ "0" (str.from_int m))) m))
(check-sat)
