package sat

import (
	"context"

	"queens/backends"
	"queens/encode/cnf"
)

// Solver is an incremental SAT solver: what it learns from one query helps with the
// next. One that holds more than memory is an io.Closer too, and one that counts its
// conflicts a [ConflictCounter]. It serves one goroutine at a time.
type Solver interface {
	// Add adds a clause, for all later queries.
	Add(clause ...cnf.Lit)
	// Solve asks for a model under assumptions. After Sat, Value tells the model until
	// the next call of Add or Solve; after Unsat, core holds assumptions that suffice,
	// none when the clauses alone do. The error is the context's, or says what the
	// solver did instead of answering.
	Solve(ctx context.Context, assume []cnf.Lit) (status backends.Status, core []cnf.Lit, err error)
	// Value reports whether the variable is true in the last model.
	Value(v cnf.Var) bool
}

// ConflictCounter is a Solver that tells how many conflicts it has met.
type ConflictCounter interface{ Conflicts() int64 }

// Make makes a solver of a formula.
type Make func(context.Context, *cnf.Formula) (Solver, error)

// conflicts returns the conflicts that a solver has met, 0 for one that does not tell.
func conflicts(s Solver) int64 {
	if c, tells := s.(ConflictCounter); tells {
		return c.Conflicts()
	}
	return 0
}
