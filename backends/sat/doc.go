// Package sat answers questions with a SAT solver: gini, or another one behind the interface [Solver].
//
// A question about possible variables uses the [Residual] formula by default. Unit propagation over the
// constraints reduces the problem under the assumptions, and a new solver gets what is left. With [Whole],
// one solver keeps the formula of the whole problem and takes the question's literals as assumptions, so
// clauses learned from one question help with the next; with [Closed], unit propagation also closes what it
// rules out, so no query asks about attacked cells. [Oracle.Solve] always uses the whole formula.
//
// One query for each cell would be slow. The methods of [Oracle.Valid] need fewer: one model shows many
// cells at once. What is impossible is found by unit propagation, by the solver, or in what earlier questions have found.
// Between two queries a method may flip literals of the solver's model ([queens/backends/rotation]), which shows more.
//
// Package encode makes clauses of constraints. The package must never know a diagram: [queens/robdd] or
// [queens/backends/bdd], nor the search of [queens/backends/near]. Only its type giniSolver may use gini, which has states in which the next call ends
// the process; that type guards against them.
package sat
