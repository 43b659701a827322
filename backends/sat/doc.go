// Package sat answers with the SAT solver gini, asked under assumptions.
//
// The formula of the problem is built once; placed queens, cells kept empty and
// the cell in question are assumptions, so that what the solver learns from one
// question helps with the next. Finding all valid cells by asking for each is
// the slow way; the methods of [Oracle.Valid] ask less.
//
// The package must never know how constraints become clauses (encode does), and
// nothing outside its solver type may touch gini: gini has states in which the
// next call ends the process, and that type is the guard.
package sat
