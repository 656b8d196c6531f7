; String and regular expression operators with and without indices.
; RUN: parse --print
(set-logic QF_SLIA)
(declare-const s String)
(declare-const n Int)
(define-fun word () RegLan (re.+ (re.union (re.range "a" "z") (str.to_re "_"))))
(assert (str.in_re s ((_ re.loop 2 4) (re.opt word))))
(assert (str.in_re s (re.inter (re.comp re.none) (re.diff re.all ((_ re.^ 3) re.allchar)))))
(assert (= n (str.indexof s "x" 0) (str.to_code (str.at s n))))
(assert (str.< (str.replace_all s "a" "") (str.from_int n)))
(assert (= (str.substr s 0 n) (str.replace_re s word "") (str.++ s "" s)))
(check-sat)
