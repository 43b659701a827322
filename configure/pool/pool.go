package pool

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"queens/ask"
	"queens/backends/bdd"
	"queens/encode"
	"queens/encode/cnf"
	"queens/order"
	"queens/param"
	"queens/robdd"
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

// CompiledBoard is a compiled board, shared by everyone who asks about it.
type CompiledBoard struct {
	*bdd.Compiled // nil until compiled; set under the pool's lock, by who has the turn
	Order         order.Order
	Nodes         int     // of the ROBDD, whether or not it has been drawn
	Seconds       float64 // taken to compile or load

	turn     chan struct{} // of compiling it: holds one element while somebody does
	lastUse  int64
	loaded   bool  // from a file, so never dropped
	measured int64 // its share of the pool's bytes; 0 until compiled, and if loaded. Under the pool's lock
}

// Lease is a back-end lent to one goroutine.
type Lease struct {
	*ask.Session
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
	made, err := ask.Open(ctx, problem, choice, ask.Valid, r)
	if err != nil {
		return nil, &UnsupportedError{err}
	}
	return &Lease{Session: made, Key: key, Diagram: d}, nil
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

// Compile returns the diagram of a board size in a named order, compiling it if
// the pool does not hold it. Callers that ask for the same one at the same time take turns: the
// first compiles it, and if that fails, the next one tries.
func (p *Pool) Compile(ctx context.Context, n int, orderName string) (*CompiledBoard, error) {
	key := Key{Backend: "bdd", N: n, Order: orderName}
	if err := p.check(&key); err != nil {
		return nil, err
	}
	p.mu.Lock()
	d, held := p.diagrams[key]
	if !held {
		d = &CompiledBoard{turn: make(chan struct{}, 1)}
		d.turn <- struct{}{}
		p.diagrams[key] = d
	}
	p.clock++
	d.lastUse = p.clock
	p.mu.Unlock()
	if held {
		select {
		case d.turn <- struct{}{}:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	defer func() { <-d.turn }()
	if d.Compiled != nil {
		return d, nil
	}
	var made CompiledBoard
	defer func() { p.settle(key, d, made) }() // even after a panic
	if err := made.compile(ctx, p, key); err != nil {
		return nil, err
	}
	return d, nil
}

// compile builds the diagram within the pool's limits.
func (d *CompiledBoard) compile(ctx context.Context, p *Pool, key Key) error {
	problem, err := p.problem(key)
	if err != nil {
		return err
	}
	start := time.Now()
	choice, r := p.choice(key)
	if key.N > 0 {
		if d.Order, _, err = choice.Order.For(problem, nil); err != nil {
			return &UnsupportedError{err}
		}
	}
	made, err := ask.Open(ctx, problem, choice, ask.Valid, r)
	if limit := (*robdd.LimitError)(nil); errors.As(err, &limit) { // too large a board is the caller's mistake
		return &UnsupportedError{err}
	}
	if err != nil {
		return err
	}
	d.Seconds = time.Since(start).Seconds()
	d.Compiled, d.Nodes = made.Compiled, made.Compiled.Nodes(robdd.BDD)
	return nil
}

// Recompile compiles a board's diagram anew, apart from the one that the pool holds, and returns
// the seconds that it took. A loaded diagram is not compiled: that is an error.
func (p *Pool) Recompile(ctx context.Context, n int, orderName string) (float64, error) {
	key := Key{Backend: "bdd", N: n, Order: orderName}
	if err := p.check(&key); err != nil {
		return 0, err
	}
	if slices.Contains(p.Loaded(), key) {
		return 0, unsupported("board size n = %d, order %s: the diagram was loaded", n, key.Order)
	}
	var fresh CompiledBoard
	err := fresh.compile(ctx, p, key)
	return fresh.Seconds, err
}

// settle publishes a compiled diagram, or that there is none, and drops what no longer fits.
func (p *Pool) settle(key Key, d *CompiledBoard, made CompiledBoard) {
	p.mu.Lock()
	defer p.mu.Unlock()
	d.Compiled, d.Order, d.Nodes, d.Seconds = made.Compiled, made.Order, made.Nodes, made.Seconds
	switch held := p.diagrams[key]; {
	case held != nil && held != d: // one that was loaded or made meanwhile
	case d.Compiled == nil:
		delete(p.diagrams, key)
	default:
		p.diagrams[key] = d
		d.measured = d.Compiled.Bytes()
		p.bytes += d.measured
		p.fit(d)
	}
}

// Load loads a saved diagram of the whole N-queens problem, whose size may exceed MaxBDD,
// and returns the keys to borrow it by: one for each name of its order, or one with the
// file's name. The file's metadata must say that it is this problem.
func (p *Pool) Load(ctx context.Context, file string) ([]Key, error) {
	fail := func(err error) ([]Key, error) { return nil, fmt.Errorf("loading diagram %s: %w", file, err) }
	start := time.Now()
	diagram, meta, err := robdd.Load(ctx, file, p.limits.CompileBytes)
	if err != nil {
		return nil, err
	}
	n := int(math.Sqrt(float64(diagram.Vars())))
	if n < 1 || n*n != diagram.Vars() || n > p.limits.MaxN {
		return fail(fmt.Errorf("%d variables: expected a square board of size 1 to %d", diagram.Vars(), p.limits.MaxN))
	}
	o := make(order.Order, n*n)
	for level, v := range diagram.Order() {
		o[level] = cnf.Var(v)
	}
	problem, err := encode.Queens(n, nil, nil)
	if err != nil {
		return fail(err)
	}
	compiled, err := bdd.Loaded(problem, diagram, meta, p.limits.CompileBytes)
	if err != nil {
		return fail(err)
	}
	if _, err := compiled.As(ctx, robdd.ZDD); err != nil { // made now, since questions go to it
		return fail(err)
	}
	d := &CompiledBoard{
		Compiled: compiled, Order: o, Nodes: compiled.Nodes(robdd.BDD), Seconds: time.Since(start).Seconds(),
		turn: make(chan struct{}, 1), loaded: true,
	}
	keys := keysOf(n, o, meta[bdd.MetaOrder], filepath.Base(file))
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, key := range keys {
		if p.diagrams[key] != nil {
			p.drop(key)
		}
		p.diagrams[key] = d
	}
	return keys, nil
}

// keysOf returns the keys of a board in an order: one for each name of the order,
// starting with the one it was saved under; or one with the file's name if the order
// has no name.
func keysOf(n int, o order.Order, saved, file string) []Key {
	var names []string
	if named, err := order.ByName(saved); err == nil && slices.Equal(named.Of(n), o) {
		names = append(names, saved)
	}
	for _, named := range order.All() {
		if slices.Equal(named.Of(n), o) && !slices.Contains(names, named.Name) {
			names = append(names, named.Name)
		}
	}
	if names == nil {
		names = []string{file}
	}
	var keys []Key
	for _, name := range names {
		keys = append(keys, Key{Backend: "bdd", N: n, Order: name})
	}
	return keys
}

// Loaded returns the keys of the loaded diagrams, by size and order.
func (p *Pool) Loaded() []Key {
	p.mu.Lock()
	defer p.mu.Unlock()
	var keys []Key
	for key, d := range p.diagrams {
		if d.loaded {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b Key) int { return cmp.Or(a.N-b.N, strings.Compare(a.Order, b.Order)) })
	return keys
}

// Bytes returns what the pool holds, apart from loaded diagrams: compiled ones and idle back-ends.
func (p *Pool) Bytes() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.bytes
}

// loadedOf lists the orders of a board's loaded diagrams, row-major first.
func (p *Pool) loadedOf(n int) []string {
	var orders []string
	for _, key := range p.Loaded() {
		switch {
		case key.N != n:
		case key.Order == "row-major":
			orders = slices.Insert(orders, 0, key.Order)
		default:
			orders = append(orders, key.Order)
		}
	}
	return orders
}

// Default returns the back-end that suits a board size best: the diagram if one was
// loaded, otherwise what suits a session.
func (p *Pool) Default(n int) string {
	if p.loadedOf(n) != nil {
		return "bdd"
	}
	if by := ask.ForBoard(n, ask.Valid, true); by != "bdd" || n <= p.limits.MaxBDD {
		return by
	}
	return "portfolio"
}

// Slow reports whether it takes long to answer about the board that a key asks for, because a diagram
// must be compiled first or the board is large.
func (p *Pool) Slow(key Key) bool { return ask.Slow(key.N, p.ready(key)) }

// ready reports whether the pool holds the diagram that a key asks for, so
// borrowing it compiles nothing. A back-end without a diagram is always ready.
func (p *Pool) ready(key Key) bool {
	return p.check(&key) != nil || key.Backend != "bdd" || p.holds(key)
}
