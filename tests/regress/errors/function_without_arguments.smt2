; RUN: parse
; EXPECT-ERROR: ...
(declare-fun f (Int) Bool)
(assert f)
