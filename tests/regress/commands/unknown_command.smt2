; A command that nobody knows is carried through untouched.
; RUN: parse --print
(set-logic QF_LIA)
(frobnicate :deep (a |b c| "d""e" #b01 (1.50 ())) x)
(check-sat)
