// Package solvers makes any SAT solver available to the methods of package sat:
// programs that are started once and speak a line protocol, so they keep what they
// learn, and programs that read DIMACS, one process per query. docs/do/solver.md
// describes the protocol.
//
// When a query is cut short, the program is killed with all its child processes. No
// answer is trusted as it comes: models are checked against the clauses, cores against the
// assumptions. If a program crashes, hangs or answers nonsense, the query returns an error
// with the last line of the program's standard error.
//
// The package must never know how constraints become clauses, and never link a solver.
package solvers
