; RUN: parse
; EXPECT-ERROR: ...
(set-logic LIA)
(assert (and (exists ((z Int)) (> z 0)) (< z 0)))
