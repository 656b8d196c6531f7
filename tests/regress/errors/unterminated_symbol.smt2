; RUN: parse
; EXPECT-ERROR: 3:16: error: quoted symbol without an end
(declare-const |s String)
(check-sat)
