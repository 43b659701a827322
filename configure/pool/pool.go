package pool

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"queens/ask"
	"queens/backends"
	"queens/encode"
)

// Limits bounds what a Pool serves and holds. A zero field means its default.
type Limits struct {
	MaxN         int   // for any back-end; default 200
	MaxBDD       int   // for diagrams compiled on demand; default 13. A loaded diagram may be larger
	Bytes        int64 // of compiled diagrams and idle back-ends together; default 1 GiB
	CompileBytes int64 // of one running compilation; default 2 GiB
	Idle         int   // idle back-ends, of all sizes; default 64
}

// UnsupportedError is the error for a request that no back-end here can serve:
// the caller's mistake, not the pool's.
type UnsupportedError struct{ error }

// Unwrap returns the cause, such as a *backends.LimitError.
func (e *UnsupportedError) Unwrap() error { return e.error }

func unsupported(format string, args ...any) error {
	return &UnsupportedError{fmt.Errorf(format, args...)}
}

// Key says which back-end answers about which problem. It is the key by which the pool keeps back-ends
// warm. [Pool.Key] makes it from a request.
type Key struct {
	N          int // size of the empty board; 0 for the problem of [Pool.Own]
	ask.Choice     // completely resolved; a saved diagram has no construction
}

// diagram returns the key of the diagram, which is shared by back-ends that differ only in method.
func (p Key) diagram() Key {
	return Key{p.N, ask.Choice{Backend: p.Backend, Order: p.Order, Construction: p.Construction, Sift: p.Sift}}
}

// Pool lends back-ends. It is safe for concurrent use.
type Pool struct {
	// Kept is called once, if the pool's own problem is not compiled, so that the back-end of a key answers on; it may be nil.
	Kept func(Key, error)
	// Progress is called while the problem is compiled; it may be nil.
	Progress func(backends.Progress)

	limits Limits
	own    *own // nil: boards only

	mu       sync.Mutex
	keys     map[Key]Key      // by the request
	diagrams map[Key]*Diagram // by [Key.diagram]
	clock    int64            // counts uses of diagrams, for the least recent
	bytes    int64            // of compiled diagrams and of the shelf
	shelf    []Lease          // idle back-ends, the longest idle first
}

// New makes an empty Pool.
func New(limits Limits) *Pool {
	limits.MaxN = cmp.Or(limits.MaxN, 200)
	limits.MaxBDD = cmp.Or(limits.MaxBDD, 13)
	limits.Idle = cmp.Or(limits.Idle, 64)
	limits.Bytes = cmp.Or(limits.Bytes, 1<<30)
	limits.CompileBytes = cmp.Or(limits.CompileBytes, 2<<30)
	return &Pool{limits: limits, keys: map[Key]Key{}, diagrams: map[Key]*Diagram{}}
}

// Limits returns the limits in force.
func (p *Pool) Limits() Limits { return p.limits }

// Lease is a back-end lent to one goroutine.
type Lease struct {
	*ask.Opened
	Key     Key
	Diagram *Diagram // from which the back-end answers; nil if none
	used    int
	bytes   int64 // held apart from the diagram, roughly
}

// problem returns a board of size n, or the pool's own problem, and the resources for answering.
func (p *Pool) problem(n int) (encode.Problem, ask.Resources, error) {
	r := ask.Resources{Bytes: p.limits.CompileBytes}
	if n == 0 && p.own != nil {
		r.Order, r.DDNNF = p.own.order, p.own.graph.Load()
		return p.own.problem, r, nil
	}
	made, err := encode.Queens(n, nil, nil)
	if err != nil {
		return made, r, &UnsupportedError{err}
	}
	return made, r, nil
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

// fit drops idle back-ends, and then compiled diagrams, least recently used first, until the rest fits.
// It never drops keep: a diagram that is too large by itself stays until another one is requested. The
// caller holds the lock.
func (p *Pool) fit(keep *Diagram) {
	for p.bytes > p.limits.Bytes && len(p.shelf) > 0 {
		p.unshelve(0)
	}
	for p.bytes > p.limits.Bytes {
		var oldest Key
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
