; A recursive function over lists.
(set-logic UFDTLIA)
(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))
(define-fun-rec len ((x L)) Int (ite ((_ is nil) x) 0 (+ 1 (len (tl x)))))
(define-fun-rec sum ((x L)) Int (match x ((nil 0) ((cons h t) (+ h (sum t))))))
(declare-const x L)
(assert (= x (cons 1 (cons (- 2) nil))))
(assert (distinct (+ (len x) (sum x)) 1))
(check-sat)
