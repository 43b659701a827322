package mdd

import (
	"context"
	"slices"

	"queens/backends"
	"queens/backends/recall"
	"queens/encode/cnf"
)

var (
	_ backends.Counter = (*Oracle)(nil)
	_ backends.Sampler = (*Oracle)(nil)
)

// Oracle answers questions from one diagram. Only one goroutine at a time may use it; several Oracles
// may share the diagram.
type Oracle struct {
	d      *Diagram
	walk   *walk
	below  []uint64     // the diagram's annotation; nil until first needed
	set    []uint64     // the possible variables of the question as asked
	image  []uint64     // and those of its image under a turn
	inLine []int32      // by level: the number of possible variables in the line
	counts counter      // nil until first needed
	book   *recall.Book // for Openings
}

// New returns an Oracle for a diagram.
func New(d *Diagram) *Oracle {
	o := &Oracle{
		d: d, walk: newWalk(d), set: make([]uint64, d.setLen()), image: make([]uint64, d.setLen()), inLine: make([]int32, len(d.lines)),
	}
	o.book = recall.NewBook(d.problem, o, Annotated)
	return o
}

// Stats implements [backends.Backend]. It leaves out the diagram and its annotation, which other Oracles
// share.
func (o *Oracle) Stats() backends.Stats {
	bytes := o.walk.bytes() + o.book.Bytes()
	if o.counts != nil {
		bytes += o.counts.bytes()
	}
	return backends.Stats{Bytes: bytes}
}

// OrderName returns the name of the variable order that the lines follow; empty if it has none.
func (o *Oracle) OrderName() string { return o.d.OrderName }

// Nodes returns the number of nodes of the diagram, which every method reads.
func (o *Oracle) Nodes(string) int { return o.d.Len() }

// Close implements [backends.Backend].
func (o *Oracle) Close() error { return nil }

// ask begins a question by a walk down: to the last line with an assumption or, if whole is set, to the
// terminal. If turned is set, it may map the question by a turn, and the caller must map the answer
// back. It returns false if the assumptions leave some line without a value.
func (o *Oracle) ask(ctx context.Context, w *walk, assume []cnf.Lit, turned, whole bool) (possible bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, o.d.stopped(err)
	}
	if err := o.d.problem.CheckAssumptions(assume); err != nil {
		return false, err
	}
	w.turn = &o.d.turns[0]
	if turned {
		w.turn = best(o.d.turns, assume)
	}
	if !w.assume(assume) {
		return false, nil
	}
	if whole {
		w.end = len(w.lines)
	}
	return true, w.down(ctx)
}

// Solve implements [backends.Backend]. The core of an UNSAT answer is all assumptions, or empty when the
// problem has no solution.
func (o *Oracle) Solve(ctx context.Context, assume []cnf.Lit) (backends.Answer, error) {
	for model, err := range o.solutions(ctx, o.walk, assume) {
		if err != nil {
			return backends.Answer{}, err
		}
		return backends.Answer{Status: backends.Sat, Model: model}, nil
	}
	if o.d.empty {
		return backends.Answer{Status: backends.Unsat}, nil
	}
	return backends.Answer{Status: backends.Unsat, Core: slices.Clone(assume)}, nil
}
