; RUN: parse
; EXPECT-ERROR: 4:44: error: unknown constant 'z'
(set-logic LIA)
(assert (and (exists ((z Int)) (> z 0)) (< z 0)))
