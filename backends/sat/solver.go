package sat

import (
	"context"

	"queens/backends"
	"queens/encode/cnf"
)

// Solver is an incremental SAT solver: clauses learned from one query help with the
// next. It serves one goroutine at a time, and stays usable after an error.
type Solver interface {
	// Add adds a clause, for all later queries.
	Add(clause ...cnf.Lit)
	// Solve looks for a model under assumptions. After Sat, Value reads the model
	// until the next call of Add or Solve. After Unsat, core holds assumptions that
	// suffice for it; it is empty if the clauses alone are unsatisfiable. The error is the
	// context's, or says what the solver did instead of answering.
	Solve(ctx context.Context, assume []cnf.Lit) (status backends.Status, core []cnf.Lit, err error)
	// Value reports whether the variable is true in the last model.
	Value(v cnf.Var) bool
	// Close ends the solver's process, if it has one.
	Close() error
}

// counting is a Solver that counts its conflicts.
type counting interface {
	// Conflicts returns the number of conflicts so far.
	Conflicts() int64
}

// bounded is a Solver that can give up.
type bounded interface {
	// SolveWithin is like Solve, but gives up, with Unknown, after about the given number of propagations. It also
	// returns how many it made. The answer is the same on every machine.
	SolveWithin(ctx context.Context, assume []cnf.Lit, propagations int64) (
		status backends.Status, core []cnf.Lit, used int64, err error)
}

// inStep is the number of propagations that count as one step: they take about half a microsecond.
const inStep = 4

// inQuery is the number of steps that a query without a bound counts as.
const inQuery = 200

// solveWithin asks a solver, for about the given number of steps if it can give up, where 0 means no limit.
func solveWithin(ctx context.Context, s Solver, assume []cnf.Lit, steps uint64) (
	status backends.Status, core []cnf.Lit, used uint64, err error,
) {
	if giving, up := s.(bounded); up && steps > 0 {
		status, core, propagations, err := giving.SolveWithin(ctx, assume, int64(steps)*inStep)
		return status, core, uint64(propagations) / inStep, err
	}
	status, core, err = s.Solve(ctx, assume)
	return status, core, inQuery, err
}

// Make makes a solver for a formula.
type Make func(*cnf.Formula) Solver

// Linked is a solver that is part of this program. Its name is reserved, and its work is the same on every machine.
type Linked struct {
	Name, Version string
	Make          Make
}

// AllLinked lists the linked solvers, the default first.
func AllLinked() []Linked { return []Linked{{GiniName, GiniVersion, Gini}} }
