package backends

import (
	"context"
	"fmt"
	"iter"
	"math/big"

	"queens/encode/cnf"
)

// Status is the outcome of a question.
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

// Answer is a solution under assumptions, or why there is none.
type Answer struct {
	Status Status
	// Model is a solution when Status is Sat: one literal for each variable of the
	// problem, Model[v-1] for variable v.
	Model []cnf.Lit
	// Core is, when Status is Unsat, a subset of the assumptions that is already
	// unsatisfiable together with the problem: sufficient, not necessarily minimal,
	// and empty when the problem has no solution at all.
	Core []cnf.Lit
	// By names the back-end that answered where several look; otherwise it is empty.
	By string
}

// Backend answers questions about one problem. Assumptions are literals of the problem's
// variables, in any order; repeated ones count once, contradictory ones are unsatisfiable. A
// back-end may keep what it learns between calls, so it serves one goroutine at a time. When its
// context is cancelled, a call soon returns the context's error, and the back-end stays usable.
type Backend interface {
	// Solve looks for one solution.
	Solve(ctx context.Context, assume []cnf.Lit) (Answer, error)
	// Valid finds which values the variables can still take, by the named method, or by the
	// back-end's best one if the name is empty. Every method returns the same answer.
	Valid(ctx context.Context, assume []cnf.Lit, method string) (Valid, error)
	// Solutions iterates over the solutions under assume, each once, as models like
	// Answer.Model. The back-end chooses the order, which is the same for every call.
	// An error ends the iteration, as its last element.
	Solutions(ctx context.Context, assume []cnf.Lit) iter.Seq2[[]cnf.Lit, error]
	// Stats describes the back-end's memory.
	Stats() Stats
	// Close stops whatever the back-end keeps running, such as solver processes. The back-end must not be
	// used afterwards.
	Close() error
}

// LimitError reports that a back-end gave up, since what it makes would have exceeded a limit.
type LimitError struct {
	What  string // what is limited, as "nodes", "bytes" or "words"
	Limit int64
	Want  int64 // what the next step would have needed
}

// Error says which limit was reached.
func (e *LimitError) Error() string {
	if e.What == "bytes" {
		unit, name := float64(1<<20), "MiB"
		if e.Limit >= 1<<30 {
			unit, name = 1<<30, "GiB"
		}
		return fmt.Sprintf("limit of %.3g %s reached (%.3g %s wanted)", float64(e.Limit)/unit, name,
			float64(e.Want)/unit, name)
	}
	return fmt.Sprintf("limit of %d %s reached (%d wanted)", e.Limit, e.What, e.Want)
}

// Bounded is a Backend that can give up. Its work is counted, never timed, so it gives the same answer on
// every machine.
type Bounded interface {
	Backend
	// SolveWithin is like Solve, but gives up, with Unknown, after about the given number of steps: queens
	// placed or literals set; 0 means no limit. It also returns how many steps it took.
	SolveWithin(ctx context.Context, assume []cnf.Lit, steps uint64) (Answer, uint64, error)
}

// SolveWithin is [Bounded.SolveWithin] for any back-end. One that is not Bounded solves without a bound,
// which counts as 200 steps: about what a SAT solver takes for a short question.
func SolveWithin(ctx context.Context, b Backend, assume []cnf.Lit, steps uint64) (Answer, uint64, error) {
	if bounded, is := b.(Bounded); is {
		return bounded.SolveWithin(ctx, assume, steps)
	}
	answer, err := b.Solve(ctx, assume)
	return answer, 200, err
}

// Counter is a Backend that counts solutions without keeping them.
type Counter interface {
	Backend
	// Count returns the number of solutions under assume.
	Count(ctx context.Context, assume []cnf.Lit) (*big.Int, error)
	// CountEach returns the number of solutions under assume and, at index v-1, the
	// number of those in which variable v is true.
	CountEach(ctx context.Context, assume []cnf.Lit) (total *big.Int, each []*big.Int, err error)
}

// Sampler is a Backend that draws solutions.
type Sampler interface {
	Backend
	// Samples yields uniformly drawn solutions under assume without end, the same ones for the same
	// seed, and nothing if there are none. An error is the last element.
	Samples(ctx context.Context, assume []cnf.Lit, seed uint64) iter.Seq2[[]cnf.Lit, error]
}

// Preparer is a Backend that can do a method's one-time work before the first question; otherwise that does it.
type Preparer interface {
	Backend
	Prepare(ctx context.Context, method string) error
}

// Stats describes a back-end's memory.
type Stats struct {
	// Bytes estimates the memory kept between questions, excluding memory that other back-ends share.
	Bytes int64
}
