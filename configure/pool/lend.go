package pool

import (
	"context"
	"iter"
	"slices"

	"queens/ask"
	"queens/backends"
	"queens/encode/cnf"
)

// uses is how many questions a back-end answers before a new one replaces it: a
// solver keeps what it learns, so bounding its age bounds its memory.
const uses = 5000

// Lend makes a key and borrows its back-end.
func (p *Pool) Lend(ctx context.Context, n int, c ask.Choice) (*Lease, error) {
	key, err := p.Key(n, c)
	if err != nil {
		return nil, err
	}
	return p.Borrow(ctx, key)
}

// Borrow lends the back-end of a key, and makes one if none is idle. Give it back with [Pool.Return].
// It returns an *UnsupportedError for a request that cannot be served.
func (p *Pool) Borrow(ctx context.Context, key Key) (*Lease, error) {
	by, err := ask.Named(string(key.Backend), ask.Valid)
	if err != nil {
		return nil, &UnsupportedError{err}
	}
	var d *Diagram
	if by.Reads("diagram") {
		if d, err = p.compiled(ctx, key); err != nil {
			return nil, err
		}
	}
	p.mu.Lock()
	for i := len(p.shelf) - 1; i >= 0; i-- { // the most recently used has the warmest caches
		if l := p.shelf[i]; l.Key == key && l.Diagram == d {
			p.unshelve(i)
			p.mu.Unlock()
			return &l, nil
		}
	}
	p.mu.Unlock()
	problem, r, err := p.problem(key.N)
	if err != nil {
		return nil, err
	}
	if d != nil {
		r.Diagram = d.Compiled
	}
	made, err := ask.Begin(ctx, ask.Plan{Descriptor: by, Choice: key.Choice, Problem: problem}, r)
	if err != nil {
		return nil, &UnsupportedError{err}
	}
	return &Lease{Opened: made, Key: key, Diagram: d}, nil
}

// Return gives a back-end back. The lease must not be used afterwards.
func (p *Pool) Return(l *Lease) {
	l.used++
	if l.used >= uses {
		return
	}
	l.bytes = l.Stats().Bytes
	p.mu.Lock()
	defer p.mu.Unlock()
	if l.Diagram != nil && p.diagrams[l.Key.diagram()] != l.Diagram {
		return // its diagram has been dropped, so no request will reach it
	}
	if d := l.Diagram; d != nil && d.measured > 0 { // its ROBDD may have been made meanwhile
		bytes := d.Compiled.Bytes()
		p.bytes += bytes - d.measured
		d.measured = bytes
	}
	p.shelf = append(p.shelf, *l)
	p.bytes += l.bytes
	if len(p.shelf) > p.limits.Idle {
		p.unshelve(0)
	}
	p.fit(l.Diagram)
}

// Compile returns the diagram of a board size in a named order; the empty name means the default order.
func (p *Pool) Compile(ctx context.Context, n int, orderName string) (*Diagram, error) {
	key, err := p.Key(n, ask.Choice{Backend: ask.Diagram, Order: ask.OrderName(orderName)})
	if err != nil {
		return nil, err
	}
	return p.compiled(ctx, key)
}

// Recompile compiles a board's diagram again, separately from the one in the pool, and returns the
// seconds that it took. It is an error if the diagram in the pool was loaded from a file.
func (p *Pool) Recompile(ctx context.Context, n int, orderName string) (float64, error) {
	key, err := p.Key(n, ask.Choice{Backend: ask.Diagram, Order: ask.OrderName(orderName)})
	if err != nil {
		return 0, err
	}
	if slices.Contains(p.savedOf(n), key.Order) {
		return 0, unsupported("board size n = %d, order %s: the diagram was loaded", n, key.Order)
	}
	var fresh Diagram
	err = fresh.compile(ctx, p, key.diagram())
	return fresh.Seconds, err
}

// Lent answers questions about the pool's own problem. It borrows a back-end for each question, so it is
// safe for concurrent use, and a question need not wait for another.
type Lent struct{ pool *Pool }

// Lent returns the back-end for the pool's own problem.
func (p *Pool) Lent() Lent { return Lent{p} }

var _ backends.Bounded = Lent{}

// Do calls do with a borrowed back-end.
func (l Lent) Do(ctx context.Context, do func(*Lease) error) error {
	lease, err := l.pool.Lend(ctx, 0, ask.Choice{})
	if err != nil {
		return err
	}
	defer l.pool.Return(lease)
	return do(lease)
}

// Wait waits until the problem is compiled, if it is to be. Afterwards the compiled form answers, unless the pool's limits did
// not suffice for it.
func (l Lent) Wait(ctx context.Context) error {
	own := l.pool.own
	if own.first == own.later {
		return nil
	}
	if _, err := l.pool.ownKey(); err != nil {
		return err
	}
	select {
	case <-own.done:
	case <-ctx.Done():
	}
	return ctx.Err()
}

// StandsIn reports whether a borrowed back-end answers only until the problem is compiled.
func (l Lent) StandsIn(on *Lease) bool {
	own := l.pool.own
	return own.first != own.later && on.Key == own.first
}

// Solve implements [backends.Backend].
func (l Lent) Solve(ctx context.Context, assume []cnf.Lit) (a backends.Answer, err error) {
	err = l.Do(ctx, func(on *Lease) error {
		a, err = on.Solve(ctx, assume)
		return err
	})
	return a, err
}

// SolveWithin implements [backends.Bounded], as [ask.Opened.SolveWithin] does.
func (l Lent) SolveWithin(ctx context.Context, assume []cnf.Lit, steps uint64) (a backends.Answer, used uint64, err error) {
	err = l.Do(ctx, func(on *Lease) error {
		a, used, err = on.SolveWithin(ctx, assume, steps)
		return err
	})
	return a, used, err
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
