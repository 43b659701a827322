// Package solvers makes outside SAT solvers available to the methods of package sat. There are two
// kinds. A warm solver starts once, speaks a line protocol (docs/do/solver.md) and keeps its learned
// clauses. Any other solver reads DIMACS, and each query starts a process.
//
// When a query is cancelled, the program is killed with all its child processes. A model is checked
// against the clauses and the assumptions. That there is none is believed; a core must consist of
// assumptions. If a program crashes or prints something unexpected, the query returns an error with the
// last line of its standard error.
//
// The package must never know how constraints become clauses ([queens/encode/amo]), and never links a solver
// ([github.com/go-air/gini]).
package solvers
