package backends

import (
	"context"
	"iter"
	"math/big"

	"queens/encode/cnf"
)

// Status is the outcome of a query.
type Status uint8

const (
	Unknown Status = iota // a limit was reached, or the back-end is incomplete
	Sat
	Unsat
)

// String names the status as SAT competitions do.
func (s Status) String() string {
	return [...]string{"UNKNOWN", "SATISFIABLE", "UNSATISFIABLE"}[s]
}

// Answer is the answer to one query under assumptions.
type Answer struct {
	Status Status
	// Model is a solution when Status is Sat: one literal for each cell
	// variable, Model[v-1] for variable v.
	Model []cnf.Lit
	// Core is, when Status is Unsat, a subset of the assumptions which with the
	// problem is already unsatisfiable: sufficient, not promised minimal, and
	// empty when the problem has no solution at all.
	Core []cnf.Lit
}

// Oracle answers questions about one problem. Assumptions are literals of cell
// variables, in any order; repeated ones count once, contradictory ones are
// unsatisfiable. An Oracle may keep what it learns between calls, so it serves
// one goroutine at a time. A cancelled context ends a call soon with its error,
// and the Oracle stays usable.
type Oracle interface {
	// Solve looks for one solution.
	Solve(ctx context.Context, assume []cnf.Lit) (Answer, error)
	// Possible returns the variables of cells that hold a queen in at least one
	// solution under assume, rising, by the back-end's own best method. None
	// means that there is no solution (every solution holds a queen).
	Possible(ctx context.Context, assume []cnf.Lit) ([]cnf.Var, error)
}

// Counter is an Oracle that counts solutions.
type Counter interface {
	Oracle
	// Count returns the number of solutions under assume.
	Count(ctx context.Context, assume []cnf.Lit) (*big.Int, error)
}

// CellCounter is a Counter that also counts through each cell.
type CellCounter interface {
	Counter
	// CountEach returns the number of solutions under assume and, for variable v
	// at index v-1, the number of those with a queen on that cell.
	CountEach(ctx context.Context, assume []cnf.Lit) (total *big.Int, each []*big.Int, err error)
}

// Enumerator is an Oracle that lists solutions.
type Enumerator interface {
	Oracle
	// Solutions iterates over the solutions under assume, each once, as models
	// like Answer.Model. The order is the back-end's own, and the same at each
	// call. An error ends the iteration as its last element.
	Solutions(ctx context.Context, assume []cnf.Lit) iter.Seq2[[]cnf.Lit, error]
}
