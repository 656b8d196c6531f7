; Literals of every kind.
; RUN: parse --print
(set-logic ALL)
(declare-const s String)
(assert (= (_ bv10 4) #xa #b1010 #xA))
(assert (distinct #x0F #b00001111 (_ bv0 8)))
(assert (= 1.50 1.5 (/ 3.0 2.0) (- 0.0) 00.5))
(assert (= 0 (- 0) 123456789012345678901234567890 (- 5)))
(assert (distinct s "" "a""b" "\u{41}" "\u0041" "\n \\ tab" "A"))
(check-sat)
