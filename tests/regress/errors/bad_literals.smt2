; RUN: parse
; EXPECT-ERROR: 3:12: error: malformed literal: #x needs hexadecimal digits, #b zeros and ones
(assert (= #xg0 #b2))
