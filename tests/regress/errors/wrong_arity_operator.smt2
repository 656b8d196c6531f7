; RUN: parse
; EXPECT-ERROR: 4:9: error: 'not' cannot take (Bool Bool): it is (not Bool Bool)
(declare-const p Bool)
(assert (not p p))
