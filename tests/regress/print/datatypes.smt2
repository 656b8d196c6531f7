; Parametric datatypes, qualified constructors, testers, selectors, match and update.
; RUN: parse --print
(set-logic ALL)
(declare-datatypes ((List 1) (Pair 2))
  ((par (T) ((nil) (cons (head T) (tail (List T)))))
   (par (A B) ((pair (fst A) (snd B))))))
(declare-const l (List (Pair Int Bool)))
(assert (distinct l (as nil (List (Pair Int Bool)))))
(assert ((_ is cons) (tail l)))
(assert (= l (cons (pair 1 true) (as nil (List (Pair Int Bool))))))
(assert (match l ((nil false) ((cons h t) (match h (((pair a b) (and b (> a 0)))))))))
(assert (match (tail l) (((cons h _) (snd h)) (other (= other l)))))
(check-sat)
