; RUN: parse
; EXPECT-ERROR: 4:12: error: malformed field literal: #f<value>m<order> expected
(set-logic ALL)
(assert (= #f1m3r #f1m3))
