package pool

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"queens/ask"
	"queens/internal/param"
)

// Names returns the names of the back-ends that a session can use.
func Names() []string { return ask.Names(ask.Able(ask.Valid)) }

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

// Key says which back-end is wanted.
type Key struct {
	Backend string // one of [Names]; empty: the one that suits N
	N       int    // size of an empty board; 0 for the problem of [Pool.Own]
	Order   string // variable order by name, for bdd; ignored by the others
}

// Pool lends back-ends. It may be used by any number of goroutines.
type Pool struct {
	limits Limits
	own    *own // nil: boards only

	mu       sync.Mutex
	diagrams map[Key]*CompiledBoard // by Key with Backend "bdd"
	clock    int64                  // counts uses of diagrams, for the least recent
	bytes    int64                  // of compiled diagrams and of the shelf
	shelf    []Lease                // idle back-ends, the longest idle first
}

// New makes an empty Pool.
func New(limits Limits) *Pool {
	limits.MaxN = cmp.Or(limits.MaxN, 200)
	limits.MaxBDD = cmp.Or(limits.MaxBDD, 13)
	limits.Idle = cmp.Or(limits.Idle, 64)
	limits.Bytes = cmp.Or(limits.Bytes, 1<<30)
	limits.CompileBytes = cmp.Or(limits.CompileBytes, 2<<30)
	return &Pool{limits: limits, diagrams: map[Key]*CompiledBoard{}}
}

// Limits returns the limits in force.
func (p *Pool) Limits() Limits { return p.limits }

// Lease is a back-end lent to one goroutine.
type Lease struct {
	*ask.Opened
	Key     Key
	Diagram *CompiledBoard // for bdd
	used    int
	bytes   int64 // that it holds besides its diagram, roughly
}

// Borrow lends a back-end for the empty board, and makes one if none is idle.
// Give it back with [Pool.Return]. It returns an *UnsupportedError for a request
// that cannot be served.
func (p *Pool) Borrow(ctx context.Context, key Key) (*Lease, error) {
	if err := p.check(&key); err != nil {
		return nil, err
	}
	var d *CompiledBoard
	if key.Backend == "bdd" {
		var err error
		if d, err = p.Compile(ctx, key.N, key.Order); err != nil {
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
	problem, err := p.problem(key)
	if err != nil {
		return nil, err
	}
	choice, r := p.choice(key)
	if d != nil {
		r.Diagram, choice.Order = d.Compiled, "" // whose name may be that of its file
	}
	made, err := ask.Start(ctx, problem, choice, ask.Valid, r)
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
	if l.Diagram != nil && p.diagrams[l.Key] != l.Diagram {
		return // its diagram has been dropped, so nobody will ask for it
	}
	if d := l.Diagram; d != nil && d.measured > 0 { // its ROBDD may have been drawn
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
func (p *Pool) drop(key Key) {
	d := p.diagrams[key]
	delete(p.diagrams, key)
	p.bytes -= d.measured
	for i := len(p.shelf) - 1; i >= 0; i-- {
		if p.shelf[i].Diagram == d {
			p.unshelve(i)
		}
	}
}

// fit drops idle back-ends, and then compiled diagrams, the least recently used first, until the rest
// fits, but never the diagram keep: one that is too large by itself stays until another is asked
// for. The caller holds the lock.
func (p *Pool) fit(keep *CompiledBoard) {
	for p.bytes > p.limits.Bytes && len(p.shelf) > 0 {
		p.unshelve(0)
	}
	for p.bytes > p.limits.Bytes {
		var oldest Key
		var victim *CompiledBoard
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

// check fills in a key's defaults and returns an error if it cannot be served.
func (p *Pool) check(key *Key) error {
	if key.N == 0 && p.own != nil {
		p.checkOwn(key)
		return nil
	}
	if key.Backend == "" {
		key.Backend = p.Default(key.N)
		if loaded := p.loadedOf(key.N); key.Backend == "bdd" && loaded != nil && !slices.Contains(loaded, key.Order) {
			key.Order = loaded[0]
		}
	}
	if !slices.Contains(Names(), key.Backend) {
		return unsupported("backend %s", param.Expected(key.Backend, Names(), ""))
	}
	if key.N < 1 || key.N > p.limits.MaxN {
		return unsupported("board size n = %d: expected 1 to %d", key.N, p.limits.MaxN)
	}
	if key.Backend != "bdd" {
		key.Order = ""
	} else if key.Order == "" {
		key.Order = "row-major"
	}
	p.mu.Lock()
	held := p.diagrams[*key] != nil
	p.mu.Unlock()
	if held || key.Backend != "bdd" && key.Backend != "table" {
		return nil
	}
	if key.N > p.limits.MaxBDD {
		if loaded := p.loadedOf(key.N); key.Backend == "bdd" && loaded != nil {
			return unsupported("board size n = %d: its saved diagrams have the orders %s, not %s", key.N,
				strings.Join(loaded, ", "), key.Order)
		}
		return unsupported("board size n = %d: back-end %s takes 1 to %d here; portfolio, sat and search take more",
			key.N, key.Backend, p.limits.MaxBDD)
	}
	if err := (ask.Choice{Order: ask.OrderName(key.Order)}).Check(); err != nil {
		return &UnsupportedError{err}
	}
	return nil
}

// Bytes returns what the pool holds, apart from loaded diagrams: compiled ones and idle back-ends.
func (p *Pool) Bytes() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.bytes
}

// Default returns the back-end that suits a board size best: the diagram if one was
// loaded, otherwise what suits a session.
func (p *Pool) Default(n int) string {
	if p.loadedOf(n) != nil {
		return "bdd"
	}
	if n <= min(repaid, p.limits.MaxBDD) {
		return "bdd"
	}
	return "portfolio"
}

// Slow reports whether it takes long to answer about the board that a key asks for, because a diagram
// must be compiled first or the board is large.
func (p *Pool) Slow(key Key) bool { return slow(key.N, p.ready(key)) }

// ready reports whether the pool holds the diagram that a key asks for, so
// borrowing it compiles nothing. A back-end without a diagram is always ready.
func (p *Pool) ready(key Key) bool {
	return p.check(&key) != nil || key.Backend != "bdd" || p.holds(key)
}
