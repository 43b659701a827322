package bdd

import (
	"context"
	"iter"
	"math/big"
	"math/rand/v2"
	"slices"

	"queens/backends"
	"queens/backends/recall"
	"queens/encode/cnf"
	"queens/robdd"
)

var (
	_ backends.Counter = (*Oracle)(nil)
	_ backends.Sampler = (*Oracle)(nil)
)

// Oracle answers questions from one diagram. Only one goroutine at a time may use it; several Oracles
// may share the diagram.
//
// Questions go to the ZDD, whichever kind was compiled, unless a method says otherwise: few cells hold a
// queen, and a ZDD has no nodes for those that do not ([Compiled.As]).
type Oracle struct {
	sweeper
	counter   *robdd.Counter // nil until needed
	cofactors cofactors      // for Restrict and Session
	book      *recall.Book   // for Openings
}

// New makes an Oracle for a compiled problem.
func New(c *Compiled) *Oracle {
	asks := propagation{problem: c.Problem, known: c.knowledge()}
	o := &Oracle{sweeper: sweeper{asker: asker{compiled: c, problem: c.Problem, known: asks.known, asked: asks}, further: asks}}
	o.book = recall.NewBook(c.Problem, o, SweepZDD)
	return o
}

// Stats implements [backends.Backend]. It leaves out the diagrams, which other Oracles share.
func (o *Oracle) Stats() backends.Stats {
	bytes := o.book.Bytes()
	for _, asked := range []*robdd.Possible{o.onZDD, o.onROBDD, o.annotated} {
		if asked != nil {
			bytes += asked.Bytes()
		}
	}
	if o.counter != nil {
		bytes += o.counter.Bytes()
	}
	if o.finder != nil {
		bytes += o.finder.Bytes()
	}
	if o.cofactors.manager != nil {
		bytes += int64(o.cofactors.manager.Stats().Bytes)
	}
	return backends.Stats{Bytes: bytes}
}

// OrderName returns the name of the diagram's variable order; empty if it has none.
func (o *Oracle) OrderName() string { return o.compiled.OrderName }

// Close implements [backends.Backend].
func (o *Oracle) Close() error { return nil }

// counts returns the counter of solutions, and makes it if necessary.
func (o *Oracle) counts(ctx context.Context) (*robdd.Counter, error) {
	if o.counter == nil {
		zdd, err := o.compiled.As(ctx, robdd.ZDD)
		if err != nil {
			return nil, err
		}
		o.counter = robdd.NewCounter(zdd)
	}
	return o.counter, nil
}

func model(lits []robdd.Lit) []cnf.Lit {
	m := make([]cnf.Lit, len(lits))
	for i, l := range lits {
		m[i] = cnf.Lit(l)
	}
	return m
}

// Solve implements [backends.Backend]. The core of an UNSAT answer is all assumptions,
// or empty when the problem has no solution.
func (o *Oracle) Solve(ctx context.Context, assume []cnf.Lit) (backends.Answer, error) {
	lits, err := o.assumptions(ctx, assume)
	if err != nil {
		return backends.Answer{}, err
	}
	finder, err := o.finds(ctx)
	if err != nil {
		return backends.Answer{}, err
	}
	solution, err := finder.Any(ctx, lits)
	switch {
	case err != nil:
		return backends.Answer{}, err
	case solution != nil:
		return backends.Answer{Status: backends.Sat, Model: model(solution)}, nil
	case o.compiled.made.Root() == uint32(robdd.False):
		return backends.Answer{Status: backends.Unsat}, nil
	}
	return backends.Answer{Status: backends.Unsat, Core: slices.Clone(assume)}, nil
}

// Count implements [backends.Counter].
func (o *Oracle) Count(ctx context.Context, assume []cnf.Lit) (*big.Int, error) {
	lits, _, err := o.turned(ctx, assume)
	if err != nil {
		return nil, err
	}
	counts, err := o.counts(ctx)
	if err != nil {
		return nil, err
	}
	return counts.Count(ctx, lits)
}

// CountEach implements [backends.Counter].
func (o *Oracle) CountEach(ctx context.Context, assume []cnf.Lit) (*big.Int, []*big.Int, error) {
	lits, turn, err := o.turned(ctx, assume)
	if err != nil {
		return nil, nil, err
	}
	counts, err := o.counts(ctx)
	if err != nil {
		return nil, nil, err
	}
	total, each, err := counts.CountEach(ctx, lits)
	if err != nil || turn == 0 {
		return total, each, err
	}
	back := make([]*big.Int, len(each))
	for i := range back {
		back[i] = each[image(o.problem.N, turn, i/o.problem.N, i%o.problem.N)-1]
	}
	return total, back, nil
}

// Samples implements [backends.Sampler].
func (o *Oracle) Samples(ctx context.Context, assume []cnf.Lit, seed uint64) iter.Seq2[[]cnf.Lit, error] {
	return func(yield func([]cnf.Lit, error) bool) {
		lits, err := o.assumptions(ctx, assume)
		if err != nil {
			yield(nil, err)
			return
		}
		counts, err := o.counts(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		for solution, err := range counts.Samples(ctx, lits, rand.New(rand.NewPCG(seed, 0))) {
			if !yield(model(solution), err) {
				return
			}
		}
	}
}

// Solutions implements [backends.Backend]. The solutions come in the order of the
// diagram's levels, true before false.
func (o *Oracle) Solutions(ctx context.Context, assume []cnf.Lit) iter.Seq2[[]cnf.Lit, error] {
	return func(yield func([]cnf.Lit, error) bool) {
		lits, err := o.assumptions(ctx, assume)
		if err != nil {
			yield(nil, err)
			return
		}
		zdd, err := o.compiled.As(ctx, robdd.ZDD)
		if err != nil {
			yield(nil, err)
			return
		}
		for solution, err := range zdd.Solutions(ctx, lits) {
			if !yield(model(solution), err) {
				return
			}
		}
	}
}
