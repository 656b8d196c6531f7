; Bars only where they are needed.
; RUN: parse --print
(set-logic QF_UF)
(declare-const |abc| Bool)
(declare-const |a b| Bool)
(declare-const |let| Bool)
(declare-const |1a| Bool)
(declare-const || Bool)
(declare-const ~!@$%^&*_-+=<>.?/ Bool)
(declare-const |#b01| Bool)
(declare-const |;"()| Bool)
(assert (and |abc| |a b| |let| |1a| || ~!@$%^&*_-+=<>.?/ |#b01| |;"()|))
(check-sat)
