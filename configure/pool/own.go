package pool

import (
	"context"
	"iter"
	"sync"
	"time"

	"queens/ask"
	"queens/backends"
	"queens/encode"
	"queens/encode/cnf"
	"queens/order"
)

// compileFor is the time limit for building the diagram of the pool's own problem; meanwhile another
// back-end answers.
const compileFor = time.Minute

// headStart is how long the first question waits for the diagram: short for a person, and long enough for
// most diagrams.
const headStart = 200 * time.Millisecond

// own is a problem that a pool serves apart from boards.
type own struct {
	ctx          context.Context // of the compilation in the background
	problem      encode.Problem
	order        order.Order // given with the problem; nil if none was
	first, later Plan        // before and after the diagram is built; equal if no diagram is to be built
	compile      sync.Once
}

// Own has the pool serve a problem for plans without a size. Unless the choice names a back-end, the
// back-end that suits the problem answers at first. A diagram takes over once it is built, if that
// succeeds before the context ends and within a time limit and the pool's memory. Own must be called
// before anything is borrowed. The error is that of [ask.Resolve].
func (p *Pool) Own(ctx context.Context, problem encode.Problem, c ask.Choice, o order.Order) error {
	plan, err := ask.Resolve(problem, c, ask.Valid)
	if err != nil {
		return err
	}
	p.own = &own{ctx: ctx, problem: problem, order: o, first: Plan{Choice: plan.Choice}}
	p.own.later = p.own.first
	if c.Backend == "" {
		c.Backend = ask.Diagram
		if plan, err = ask.Resolve(problem, c, ask.Valid); err == nil {
			p.own.later = Plan{Choice: plan.Choice}
		}
	}
	return nil
}

// Problem returns the problem of [Pool.Own].
func (p *Pool) Problem() encode.Problem { return p.own.problem }

// ownPlan returns the plan for the pool's own problem, and starts to build its diagram.
func (p *Pool) ownPlan() (Plan, error) {
	if p.own.first == p.own.later {
		return p.own.first, nil
	}
	p.own.compile.Do(func() {
		done := make(chan struct{})
		go func() {
			defer close(done)
			ctx, cancel := context.WithTimeout(p.own.ctx, compileFor)
			defer cancel()
			p.compiled(ctx, p.own.later) // if it fails, the first back-end continues to answer
		}()
		select {
		case <-done:
		case <-time.After(headStart):
		}
	})
	if p.holds(p.own.later) {
		return p.own.later, nil
	}
	return p.own.first, nil
}

// problem returns a board of size n, or the pool's own problem, and the resources for answering.
func (p *Pool) problem(n int) (encode.Problem, ask.Resources, error) {
	r := ask.Resources{Bytes: p.limits.CompileBytes}
	if n == 0 && p.own != nil {
		r.Order = p.own.order
		return p.own.problem, r, nil
	}
	made, err := encode.Queens(n, nil, nil)
	if err != nil {
		return made, r, &UnsupportedError{err}
	}
	return made, r, nil
}

// Lent answers questions about the pool's own problem. It borrows a back-end for each question, so it is
// safe for concurrent use, and a question need not wait for another.
type Lent struct{ pool *Pool }

// Lent returns the back-end for the pool's own problem.
func (p *Pool) Lent() Lent { return Lent{p} }

var _ backends.Backend = Lent{}

// Do calls do with a borrowed back-end.
func (l Lent) Do(ctx context.Context, do func(*Lease) error) error {
	lease, err := l.pool.Lend(ctx, 0, ask.Choice{})
	if err != nil {
		return err
	}
	defer l.pool.Return(lease)
	return do(lease)
}

// Wait waits for the diagram, if one is to take over. Afterwards the diagram answers, unless it could not
// be built within the pool's limits.
func (l Lent) Wait(ctx context.Context) error {
	own := l.pool.own
	if own.first == own.later {
		return nil
	}
	brief, cancel := context.WithTimeout(ctx, compileFor)
	defer cancel()
	l.pool.compiled(brief, own.later) // the first back-end continues to answer if this fails
	return ctx.Err()
}

// Solve implements [backends.Backend].
func (l Lent) Solve(ctx context.Context, assume []cnf.Lit) (a backends.Answer, err error) {
	err = l.Do(ctx, func(on *Lease) error {
		a, err = on.Solve(ctx, assume)
		return err
	})
	return a, err
}

// Valid implements [backends.Backend].
func (l Lent) Valid(ctx context.Context, assume []cnf.Lit, method string) (found backends.Valid, err error) {
	err = l.Do(ctx, func(on *Lease) error {
		found, err = on.Valid(ctx, assume, method)
		return err
	})
	return found, err
}

// Solutions implements [backends.Backend].
func (l Lent) Solutions(ctx context.Context, assume []cnf.Lit) iter.Seq2[[]cnf.Lit, error] {
	return func(yield func([]cnf.Lit, error) bool) {
		err := l.Do(ctx, func(on *Lease) error {
			on.Solutions(ctx, assume)(yield)
			return nil
		})
		if err != nil {
			yield(nil, err)
		}
	}
}

// Stats implements [backends.Backend]: the pool holds everything.
func (l Lent) Stats() backends.Stats { return backends.Stats{} }

// Close implements [backends.Backend].
func (l Lent) Close() error { return nil }
