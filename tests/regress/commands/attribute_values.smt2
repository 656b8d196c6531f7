; Attribute values are kept as they are written.
; RUN: parse --print
(set-info :license "https://example.org/""x""")
(set-info :notes |two
lines|)
(set-info :status unsat)
(set-info :numbers (1 2.50 #xAf #b01 (nested () :key "v")))
(set-info :alone)
(set-option :timeout 1000)
(set-option :verbosity 0)
(check-sat)
