; Symbols that look like keywords, numbers and operators.
(set-logic QF_UF)
(declare-sort |(_ BitVec 8)| 0)
(declare-fun |Select| (|(_ BitVec 8)|) |(_ BitVec 8)|)
(declare-const |(select)| |(_ BitVec 8)|)
(declare-const |#b01| |(_ BitVec 8)|)
(declare-const |"s"| |(_ BitVec 8)|)
(declare-const ~!@$%^&*_-+=<>.?/ |(_ BitVec 8)|)
(declare-const |two
lines| Bool)
(assert (= (|Select| |(select)|) |#b01|))
(assert (=> |two
lines| (distinct (|Select| |"s"|) |#b01|)))
(assert (or (= |(select)| |"s"|) (= ~!@$%^&*_-+=<>.?/ |"s"|)))
(check-sat)
