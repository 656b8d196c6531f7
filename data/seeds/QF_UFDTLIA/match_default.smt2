; match with a variable for all other cases, nested in itself.
(set-logic QF_UFDTLIA)
(declare-datatypes ((Color 0) (Shape 0))
  (((red) (green) (blue)) ((dot (c Color)) (box (w Int) (in Shape)))))
(declare-const s Shape)
(declare-const n Int)
(assert (= n (match s (((dot k) (match k ((red 1) (green 2) (other 3)))) ((box v i) (+ v 1))))))
(assert (match s (((box v i) (and (= v (- n)) ((_ is dot) i))) (d (= n 4)))))
(check-sat)
