package pool

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"queens/ask"
)

// Limits bounds what a Pool serves and holds. A zero field means its default.
type Limits struct {
	MaxN         int   // for any back-end; default 200
	MaxBDD       int   // for diagrams compiled on demand; default 13. A loaded diagram may be larger
	Bytes        int64 // of compiled diagrams and idle back-ends together; default 1 GiB
	CompileBytes int64 // of one running compilation; default 2 GiB
	Idle         int   // idle back-ends, of all sizes; default 64
}

// uses is how many questions a back-end answers before a new one replaces it: a
// solver keeps what it learns, so bounding its age bounds its memory.
const uses = 5000

// UnsupportedError is the error for a request that no back-end here can serve:
// the caller's mistake, not the pool's.
type UnsupportedError struct{ error }

// Unwrap returns the cause, such as a *robdd.LimitError.
func (e *UnsupportedError) Unwrap() error { return e.error }

func unsupported(format string, args ...any) error {
	return &UnsupportedError{fmt.Errorf(format, args...)}
}

// Pool lends back-ends. It is safe for concurrent use.
type Pool struct {
	limits Limits
	own    *own // nil: boards only

	mu       sync.Mutex
	plans    map[Plan]Plan     // by the request
	diagrams map[Plan]*Diagram // by [Plan.diagram]
	clock    int64             // counts uses of diagrams, for the least recent
	bytes    int64             // of compiled diagrams and of the shelf
	shelf    []Lease           // idle back-ends, the longest idle first
}

// New makes an empty Pool.
func New(limits Limits) *Pool {
	limits.MaxN = cmp.Or(limits.MaxN, 200)
	limits.MaxBDD = cmp.Or(limits.MaxBDD, 13)
	limits.Idle = cmp.Or(limits.Idle, 64)
	limits.Bytes = cmp.Or(limits.Bytes, 1<<30)
	limits.CompileBytes = cmp.Or(limits.CompileBytes, 2<<30)
	return &Pool{limits: limits, plans: map[Plan]Plan{}, diagrams: map[Plan]*Diagram{}}
}

// Limits returns the limits in force.
func (p *Pool) Limits() Limits { return p.limits }

// Lease is a back-end lent to one goroutine.
type Lease struct {
	*ask.Opened
	Plan    Plan
	Diagram *Diagram // from which the back-end answers; nil if none
	used    int
	bytes   int64 // held apart from the diagram, roughly
}

// Lend makes a plan and borrows its back-end.
func (p *Pool) Lend(ctx context.Context, n int, c ask.Choice) (*Lease, error) {
	plan, err := p.Plan(n, c)
	if err != nil {
		return nil, err
	}
	return p.Borrow(ctx, plan)
}

// Borrow lends the back-end of a plan, and makes one if none is idle. Give it back with [Pool.Return].
// It returns an *UnsupportedError for a request that cannot be served.
func (p *Pool) Borrow(ctx context.Context, plan Plan) (*Lease, error) {
	by, err := ask.Named(string(plan.Backend), ask.Valid)
	if err != nil {
		return nil, &UnsupportedError{err}
	}
	var d *Diagram
	if by.Reads("diagram") {
		if d, err = p.compiled(ctx, plan); err != nil {
			return nil, err
		}
	}
	p.mu.Lock()
	for i := len(p.shelf) - 1; i >= 0; i-- { // the most recently used has the warmest caches
		if l := p.shelf[i]; l.Plan == plan && l.Diagram == d {
			p.unshelve(i)
			p.mu.Unlock()
			return &l, nil
		}
	}
	p.mu.Unlock()
	problem, r, err := p.problem(plan.N)
	if err != nil {
		return nil, err
	}
	if d != nil {
		r.Diagram = d.Compiled
	}
	made, err := ask.Begin(ctx, ask.Plan{Descriptor: by, Choice: plan.Choice, Problem: problem}, r)
	if err != nil {
		return nil, &UnsupportedError{err}
	}
	return &Lease{Opened: made, Plan: plan, Diagram: d}, nil
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
	if l.Diagram != nil && p.diagrams[l.Plan.diagram()] != l.Diagram {
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

// unshelve removes a back-end from the shelf. The caller holds the lock.
func (p *Pool) unshelve(i int) {
	p.bytes -= p.shelf[i].bytes
	p.shelf = slices.Delete(p.shelf, i, i+1)
}

// drop forgets a diagram and the idle back-ends that answer from it. Leases already
// handed out stay usable. The caller holds the lock.
func (p *Pool) drop(key Plan) {
	d := p.diagrams[key]
	delete(p.diagrams, key)
	p.bytes -= d.measured
	for i := len(p.shelf) - 1; i >= 0; i-- {
		if p.shelf[i].Diagram == d {
			p.unshelve(i)
		}
	}
}

// fit drops idle back-ends, and then compiled diagrams, least recently used first, until the rest fits.
// It never drops keep: a diagram that is too large by itself stays until another one is requested. The
// caller holds the lock.
func (p *Pool) fit(keep *Diagram) {
	for p.bytes > p.limits.Bytes && len(p.shelf) > 0 {
		p.unshelve(0)
	}
	for p.bytes > p.limits.Bytes {
		var oldest Plan
		var victim *Diagram
		for k, d := range p.diagrams {
			if d.measured > 0 && d != keep && (victim == nil || d.lastUse < victim.lastUse) {
				oldest, victim = k, d
			}
		}
		if victim == nil {
			return
		}
		p.drop(oldest)
	}
}

// Bytes returns the bytes of the compiled diagrams and idle back-ends in the pool, not of loaded
// diagrams.
func (p *Pool) Bytes() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.bytes
}
