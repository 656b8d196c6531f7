; An array of integer lists, with lists that hold the indices of other lists.
(set-logic ALL)
(declare-datatypes ((IntList 0)) (((nil) (cons (head Int) (tail IntList)))))
(declare-const a (Array Int IntList))
(declare-const i Int)
(assert (= (select a i) (cons i (select a (+ i 1)))))
(assert ((_ is nil) (select a (head (tail (select a i))))))
(assert (distinct (tail (select a i)) nil))
(check-sat)
