; A command that nobody knows is carried through untouched.
; RUN: parse --print
; EXPECT-WARNING: 8:1: warning: unknown command 'frobnicate' is carried through
; EXPECT: (set-logic QF_LIA)
; EXPECT: (frobnicate :deep (a |b c| "d""e" #b01 (1.50 ())) x)
; EXPECT: (check-sat)
(set-logic QF_LIA)
(frobnicate :deep (a |b c| "d""e" #b01 (1.50 ())) x)
(check-sat)
