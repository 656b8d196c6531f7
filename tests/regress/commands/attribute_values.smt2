; Attribute values are kept as they are written.
; RUN: parse --print
; EXPECT: (set-info :license "https://example.org/""x""")
; EXPECT: (set-info :notes |two
; EXPECT: lines|)
; EXPECT: (set-info :status unsat)
; EXPECT: (set-info :numbers (1 2.50 #xAf #b01 (nested () :key "v")))
; EXPECT: (set-info :alone)
; EXPECT: (set-option :timeout 1000)
; EXPECT: (set-option :verbosity 0)
; EXPECT: (set-logic ALL)
; EXPECT: (check-sat)
(set-info :license "https://example.org/""x""")
(set-info :notes |two
lines|)
(set-info :status unsat)
(set-info :numbers (1 2.50 #xAf #b01 (nested () :key "v")))
(set-info :alone)
(set-option :timeout 1000)
(set-option :verbosity 0)
(check-sat)
