; let upon let with shadowed names.
(set-logic QF_UF)
(declare-const p Bool)
(declare-const q Bool)
(declare-const r Bool)
(assert
  (let ((a (and p q)) (b (or q r)))
    (let ((a (xor a b)) (b (=> b a)))
      (let ((p (not a)))
        (and (or p b) (ite p q (not r)) (distinct a (and b q)))))))
(check-sat)
