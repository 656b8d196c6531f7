; Differences, powers and single elements in regular expressions over sequences.
(set-logic ALL)
(declare-const t (Seq Int))
(define-fun s () (Seq Int) (seq.++ (seq.unit 3) (seq.unit 3) (seq.unit 4)))
(define-fun three () (RegEx (Seq Int)) (seq.to.re (seq.unit 3)))
(assert (seq.in.re s (re.++ ((_ re.^ 2) three) (as re.allchar (RegEx (Seq Int))))))
(assert (not (seq.in.re (as seq.empty (Seq Int)) (re.diff (re.* three) (re.+ three)))))
(assert (= (seq.last_indexof s t) (+ 1 (seq.len t))))
(check-sat)
