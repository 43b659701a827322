package sat

import (
	"context"

	"queens/backends"
	"queens/encode/cnf"
)

// Solver is an incremental SAT solver: what it learns from one query helps with the
// next. A solver that holds more than memory is also an io.Closer, and one that
// counts its conflicts is a [ConflictCounter]. It serves one goroutine at a time.
type Solver interface {
	// Add adds a clause, for all later queries.
	Add(clause ...cnf.Lit)
	// Solve looks for a model under assumptions. After Sat, Value reads the model
	// until the next call of Add or Solve. After Unsat, core holds assumptions that
	// suffice for it; it is empty if the clauses alone do. The error is the context's,
	// or says what the solver did instead of answering.
	Solve(ctx context.Context, assume []cnf.Lit) (status backends.Status, core []cnf.Lit, err error)
	// Value reports whether the variable is true in the last model.
	Value(v cnf.Var) bool
}

// ConflictCounter is a Solver that reports how many conflicts it has had.
type ConflictCounter interface{ Conflicts() int64 }

// Make makes a solver for a formula.
type Make func(context.Context, *cnf.Formula) (Solver, error)

// conflicts returns the number of conflicts that a solver has had, 0 if it does not
// report them.
func conflicts(s Solver) int64 {
	if c, tells := s.(ConflictCounter); tells {
		return c.Conflicts()
	}
	return 0
}
