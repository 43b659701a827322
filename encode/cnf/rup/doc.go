// Package rup replays proofs of what follows from a formula. It reads DRAT text (Wetzler, Heule and Hunt, DRAT-trim, SAT
// 2014), a clause a line, and accepts a clause if unit propagation refutes its negation: reverse unit propagation
// (Goldberg and Novikov, Verification of proofs of unsatisfiability for CNF formulas, DATE 2003).
//
// It checks what others conclude, and shares no code with them. It must never know constraints ([queens/encode/amo]) or a
// back-end ([queens/backends]): of this project it uses the clauses as they are read, and nothing else.
package rup
