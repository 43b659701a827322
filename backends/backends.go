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
	// Model is a solution when Status is Sat: one literal for each variable of the
	// problem, Model[v-1] for variable v.
	Model []cnf.Lit
	// Core is, when Status is Unsat, a subset of the assumptions which with the
	// problem is already unsatisfiable: sufficient, not promised minimal, and
	// empty when the problem has no solution at all.
	Core []cnf.Lit
}

// What a back-end can do is told by which of the interfaces below it meets; none of
// them is met by half. Each is made for one problem. Assumptions are literals of the
// problem's variables, in any order; repeated ones count once, contradictory ones are
// unsatisfiable. A back-end may keep what it learns between calls, so it serves one
// goroutine at a time. A cancelled context ends a call soon with its error, and the
// back-end stays usable.

// Finder finds solutions.
type Finder interface {
	// Solve looks for one solution.
	Solve(ctx context.Context, assume []cnf.Lit) (Answer, error)
}

// Counter counts solutions.
type Counter interface {
	// Count returns the number of solutions under assume.
	Count(ctx context.Context, assume []cnf.Lit) (*big.Int, error)
}

// VarCounter is a Counter that also counts through each variable.
type VarCounter interface {
	Counter
	// CountEach returns the number of solutions under assume and, at index v-1, the
	// number of those in which variable v is true.
	CountEach(ctx context.Context, assume []cnf.Lit) (total *big.Int, each []*big.Int, err error)
}

// Enumerator lists solutions.
type Enumerator interface {
	// Solutions iterates over the solutions under assume, each once, as models
	// like Answer.Model. The order is the back-end's own, and the same at each
	// call. An error ends the iteration as its last element.
	Solutions(ctx context.Context, assume []cnf.Lit) iter.Seq2[[]cnf.Lit, error]
}

// ValidFinder finds what the variables can still be, in one way or in several that can
// be compared.
type ValidFinder interface {
	// Methods returns the names of the ways, the best in general first.
	Methods() []string
	// Valid answers by the named method, by the first where the name is empty. Every
	// method gives the same answer. An unknown name is an error that lists the names
	// there are.
	Valid(ctx context.Context, assume []cnf.Lit, method string) (Valid, error)
}

// Oracle is what a configurator needs: it finds solutions and tells what is left.
type Oracle interface {
	Finder
	ValidFinder
}
