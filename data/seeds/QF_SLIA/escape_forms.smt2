; The same characters written in all ways, and escapes that are none.
(set-logic QF_SLIA)
(declare-const s String)
(assert (= (str.len s) (str.len "\u{g}\u12\x41")))
(assert (str.prefixof "\u0041\u{42}\u{00043}" s))
(assert (str.suffixof "\" s))
(assert (= (str.at s 3) (_ char #x44) "D"))
(assert (str.contains s """"))
(check-sat)
