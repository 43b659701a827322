package ask

import (
	"fmt"
	"io"

	"queens/backends"
	"queens/backends/bdd"
	"queens/backends/portfolio"
	"queens/encode"
	"queens/encode/cnf"
	"queens/internal/system/program"
	"queens/order"
)

// Resources are the limits, inputs and callbacks of an answer. None of them changes the answer.
type Resources struct {
	Bytes    int64                   // memory limit for what a back-end builds, or for what it needs at least; 0 for no limit
	Diagram  *Compiled               // of the problem, if it is already built
	DDNNF    *CompiledDDNNF          // of the problem, if it is already compiled
	Order    order.Order             // variable order of the problem's file, for a choice that names none
	Programs program.Descriptions    // that the names of solvers and counters may stand for
	Progress func(backends.Progress) // called with the progress; may be nil
	Proof    io.Writer               // takes the proof of near; nil for none
	// Settled is called as near, or the portfolio on a formula, settles literals: see [near.Oracle.Settled]. It may be nil.
	Settled func(refuted cnf.Lit, settled, of int)
	Trace   bool // count the nodes after each step of a construction

	// Hopeless is called once, if counting would take too long for a person to wait; may be nil.
	Hopeless func(portfolio.Outlook)

	more func(bdd.Growth) (maxBytes int64, err error) // see [bdd.Options]; may be nil
}

// MemoryError says that a back-end was not opened for a problem, since it needs more memory than the limit. Both are
// in bytes.
type MemoryError struct {
	Backend, Problem string
	Needs, Limit     int64
}

// Error names the back-end and the problem.
func (e *MemoryError) Error() string {
	return fmt.Sprintf("back-end %s needs at least %.3g MiB of memory for %s, and the limit is %.3g MiB", e.Backend,
		float64(e.Needs)/(1<<20), e.Problem, float64(e.Limit)/(1<<20))
}

// suffices returns a [MemoryError] if a back-end needs more bytes for a problem than there may be.
func (r Resources) suffices(c Choice, p encode.Problem, needs int64) error {
	if r.Bytes > 0 && needs > r.Bytes {
		return &MemoryError{Backend: string(c.Backend), Problem: p.String(), Needs: needs, Limit: r.Bytes}
	}
	return nil
}

// compiling tells that a share of a d-DNNF is done.
func (r Resources) compiling(done float64, nodes int) {
	if r.Progress != nil {
		r.Progress(backends.Progress{Step: "thousandth", Done: int(1000 * done), Total: 1000, Items: uint64(nodes), Unit: "nodes"})
	}
}

// searching returns a callback that passes a search's progress on to r.Progress; nil if that is nil.
func (r Resources) searching() func(done, total int, completions uint64) {
	if r.Progress == nil {
		return nil
	}
	return func(done, total int, completions uint64) {
		r.Progress(backends.Progress{Step: "part", Done: done, Total: total, Items: completions, Unit: "solutions"})
	}
}
