// Package near answers questions by changing a solution that it has. To show a value it flips the variable and repairs what
// that violates ([queens/backends/rotation]); if that fails, it searches: it decides only where the solution is violated,
// and learns a clause from each contradiction, as a SAT solver does. So a search ends near the solution that it began with,
// or refutes the value, and with it all that are alike. On models of systems, where most values are a few changes apart, that
// takes a fraction of the time of a solver, which decides every variable; on random formulas it takes far more.
//
// It is complete alone, however slow. [Question] lets another back-end settle a part of a question. [Oracle.Proof] takes
// what it learns and refutes as a proof that others can check.
//
// It must never know a solver or a diagram: [queens/backends/sat], [queens/robdd] or [queens/backends/bdd].
package near
