// Package sat answers with the SAT solver gini, asked under assumptions.
//
// The formula of the problem is built once; placed queens, blocked cells and
// the cell in question are assumptions, so what the solver learns from one
// question helps with the next. Finding all valid cells by asking for each cell
// is slow; the methods of [Oracle.Valid] ask fewer questions, on feature models often none.
//
// The package must never know how constraints become clauses (package encode
// does), and only its type giniSolver may use gini: gini has states in which
// the next call ends the process, and that type guards against them.
package sat
