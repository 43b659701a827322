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
	// Core is, when Status is Unsat, a subset of the assumptions that is already
	// unsatisfiable together with the problem: sufficient, not necessarily minimal,
	// and empty when the problem has no solution at all.
	Core []cnf.Lit
}

// The interfaces below that a back-end implements say what it can do; it implements
// each one fully or not at all. A back-end is made for one problem. Assumptions are
// literals of the problem's variables, in any order; repeated ones count once,
// contradictory ones are unsatisfiable. A back-end may keep what it learns between
// calls, so it serves one goroutine at a time. When its context is cancelled, a call
// soon returns the context's error, and the back-end stays usable.

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

// VarCounter is a Counter that also counts the solutions in which each variable is
// true.
type VarCounter interface {
	Counter
	// CountEach returns the number of solutions under assume and, at index v-1, the
	// number of those in which variable v is true.
	CountEach(ctx context.Context, assume []cnf.Lit) (total *big.Int, each []*big.Int, err error)
}

// Enumerator lists solutions.
type Enumerator interface {
	// Solutions iterates over the solutions under assume, each once, as models like
	// Answer.Model. The back-end chooses the order, which is the same for every call.
	// An error ends the iteration, as its last element.
	Solutions(ctx context.Context, assume []cnf.Lit) iter.Seq2[[]cnf.Lit, error]
}

// ValidFinder finds which values the variables can still take, by one method or by
// several that can be compared.
type ValidFinder interface {
	// Methods returns the names of the methods, the generally best one first.
	Methods() []string
	// Valid answers by the named method, or by the first one if the name is empty.
	// Every method returns the same answer. The error for an unknown name lists the
	// known ones.
	Valid(ctx context.Context, assume []cnf.Lit, method string) (Valid, error)
}

// Oracle is what a configurator needs: it finds solutions and reports what is still
// possible.
type Oracle interface {
	Finder
	ValidFinder
}
