package engines

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"queens/backends"
	"queens/backends/bdd"
	"queens/backends/bdd/robdd"
	"queens/board"
	"queens/choice"
	"queens/encode"
	"queens/encode/cnf"
	"queens/experiments"
	"queens/order"
)

// Names returns the names of the back-ends that a session can use.
func Names() []string { return choice.Names(choice.Able(choice.Finds | choice.Valid)) }

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
type UnsupportedError struct {
	Reason string
	cause  error // may be nil
}

// Unwrap returns the cause, such as a *robdd.LimitError.
func (e *UnsupportedError) Unwrap() error { return e.cause }

func (e *UnsupportedError) Error() string { return e.Reason }

func unsupported(format string, args ...any) error {
	return &UnsupportedError{Reason: fmt.Sprintf(format, args...)}
}

// limited turns a memory limit into an UnsupportedError: asking for too large a
// board is the caller's mistake.
func limited(err error) error {
	if limit := (*robdd.LimitError)(nil); errors.As(err, &limit) {
		return &UnsupportedError{Reason: err.Error(), cause: err}
	}
	return err
}

// Key says which back-end is wanted.
type Key struct {
	Backend string // one of [Names]; empty: the one that suits N
	N       int
	Order   string // variable order by name, for bdd; ignored by the others
}

// Pool lends back-ends. It may be used by any number of goroutines.
type Pool struct {
	limits Limits

	mu       sync.Mutex
	diagrams map[Key]*CompiledBoard // by Key with Backend "bdd"
	clock    int64                  // counts uses, for the least recent
	bytes    int64                  // of compiled diagrams and of the shelf
	shelf    []Lease                // idle back-ends, the longest idle first
	compiles int64
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
	*bdd.Compiled
	Order   order.Order
	Nodes   int     // of the ROBDD, whether or not it has been drawn
	Seconds float64 // taken to compile or load

	ready    chan struct{} // closed when compiled, or err set
	err      error
	lastUse  int64
	loaded   bool  // from a file, so never dropped
	measured int64 // its share of the pool's bytes; 0 until settled, and if loaded. Under the pool's lock

	growing sync.Mutex
	growth  []bdd.Step // by GrowthConstruction; nil until asked for
}

// GrowthConstruction is the construction whose growth is shown: the conjunction
// that anyone would write first. Its intermediate diagrams depend on the order
// far more than the result does.
const GrowthConstruction = "row-or"

// Growth returns the nodes held after each step of building the board in an order
// by [GrowthConstruction]. It builds the board only once.
func (p *Pool) Growth(ctx context.Context, n int, orderName string) ([]bdd.Step, error) {
	d, err := p.Compile(ctx, n, orderName)
	if err != nil {
		return nil, err
	}
	d.growing.Lock()
	defer d.growing.Unlock()
	if d.growth == nil {
		c, err := bdd.Compile(ctx, d.Compiled.Problem, d.Order, bdd.Options{
			Construction: GrowthConstruction, Limits: robdd.Config{MaxBytes: p.limits.CompileBytes},
		})
		if err != nil {
			return nil, limited(err)
		}
		d.growth = c.Stats().Growth
	}
	return d.growth, nil
}

// Lease is a back-end lent to one goroutine.
type Lease struct {
	Oracle  backends.Oracle
	Key     Key
	Diagram *CompiledBoard // for bdd
	used    int
	bytes   int64 // roughly what it holds: see holds
	// cellBytes estimates what it keeps for each cell, if it does not say itself
	cellBytes int64
	lastUse   int64
}

// holds returns how many bytes a back-end keeps alive besides its diagram: its
// own figure if it reports one, else an estimate.
func holds(l *Lease) int64 {
	if teller, tells := l.Oracle.(interface{ Bytes() int64 }); tells {
		return teller.Bytes()
	}
	return int64(l.Key.N) * int64(l.Key.N) * l.cellBytes
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
	problem, err := encode.Queens(key.N, nil, nil)
	if err != nil {
		return nil, unsupported("%v", err)
	}
	var r choice.Resources
	if d != nil {
		r.Diagram = d.Compiled
	}
	made, err := choice.Open(ctx, problem, choice.Choice{Backend: choice.BackendName(key.Backend)},
		choice.Finds|choice.Valid, r)
	if err != nil {
		return nil, unsupported("%v", err)
	}
	return &Lease{
		Key: key, Diagram: d, Oracle: made.Answers.(backends.Oracle), cellBytes: made.Backend.CellBytes,
	}, nil
}

// Return gives a back-end back. The lease must not be used afterwards.
func (p *Pool) Return(l *Lease) {
	l.used++
	if l.used >= uses {
		return
	}
	l.bytes = holds(l)
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
	p.clock++
	l.lastUse = p.clock
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

// fit drops the least recently used idle back-end or diagram until the rest fits, but
// never the diagram keep: a diagram that is too large by itself stays until another is
// asked for. The caller holds the lock.
func (p *Pool) fit(keep *CompiledBoard) {
	for p.bytes > p.limits.Bytes {
		var oldest Key
		var victim *CompiledBoard
		for k, d := range p.diagrams {
			if d.measured > 0 && d != keep && (victim == nil || d.lastUse < victim.lastUse) {
				oldest, victim = k, d
			}
		}
		switch {
		case victim != nil && (len(p.shelf) == 0 || victim.lastUse < p.shelf[0].lastUse):
			p.drop(oldest)
		case len(p.shelf) > 0:
			p.unshelve(0)
		default:
			return
		}
	}
}

// check fills in a key's defaults and returns an error if it cannot be served.
func (p *Pool) check(key *Key) error {
	if key.Backend == "" {
		key.Backend = p.Default(key.N)
		if loaded := p.loadedOf(key.N); key.Backend == "bdd" && loaded != nil && !slices.Contains(loaded, key.Order) {
			key.Order = loaded[0]
		}
	}
	if !slices.Contains(Names(), key.Backend) {
		return unsupported("backend %s", experiments.Expected(key.Backend, Names()))
	}
	if key.N < 1 || key.N > p.limits.MaxN {
		return unsupported("board size n = %d: expected 1 to %d", key.N, p.limits.MaxN)
	}
	if key.Backend == "table" && key.N > p.limits.MaxBDD {
		return unsupported("board size n = %d: back-end table takes 1 to %d here; portfolio, sat and search take more",
			key.N, p.limits.MaxBDD)
	}
	if key.Backend != "bdd" {
		key.Order = ""
		return nil
	}
	if key.Order == "" {
		key.Order = "row-major"
	}
	p.mu.Lock()
	d := p.diagrams[*key]
	p.mu.Unlock()
	if d == nil && key.N > p.limits.MaxBDD {
		if loaded := p.loadedOf(key.N); loaded != nil {
			return unsupported("board size n = %d: its saved diagrams have the orders %s, not %s", key.N,
				strings.Join(loaded, ", "), key.Order)
		}
		return unsupported("board size n = %d: back-end bdd takes 1 to %d here; portfolio, sat and search take more",
			key.N, p.limits.MaxBDD)
	}
	if d == nil {
		if err := (choice.Choice{Order: choice.OrderName(key.Order)}).Check(); err != nil {
			return unsupported("%v", err)
		}
	}
	return nil
}

// Compile returns the diagram of a board size in a named order, compiling it if
// the pool does not hold it. Callers that ask for the same one at the same time
// share the work; if the one doing it is cancelled, another takes over.
func (p *Pool) Compile(ctx context.Context, n int, orderName string) (*CompiledBoard, error) {
	key := Key{Backend: "bdd", N: n, Order: orderName}
	if err := p.check(&key); err != nil {
		return nil, err
	}
	for {
		p.mu.Lock()
		p.clock++
		d, held := p.diagrams[key]
		if !held {
			d = &CompiledBoard{ready: make(chan struct{})}
			p.diagrams[key] = d
		}
		d.lastUse = p.clock
		p.mu.Unlock()
		if !held {
			return d, p.build(ctx, key, d)
		}
		select {
		case <-d.ready:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if d.err == nil {
			return d, nil
		}
		if !errors.Is(d.err, context.Canceled) && !errors.Is(d.err, context.DeadlineExceeded) {
			return nil, d.err
		}
	}
}

// build compiles a diagram that others may be waiting for, and settles it. A panic
// propagates to the caller, but the waiters get an error, and the next caller
// tries again.
func (p *Pool) build(ctx context.Context, key Key, d *CompiledBoard) error {
	var bytes int64
	err := errors.New("the compilation panicked")
	defer func() { p.settle(key, d, bytes, err) }()
	bytes, err = d.compile(ctx, key, p.limits.CompileBytes)
	return err
}

// compile builds the diagram within the given number of bytes, and returns the
// bytes it takes.
func (d *CompiledBoard) compile(ctx context.Context, key Key, most int64) (int64, error) {
	problem, err := encode.Queens(key.N, nil, nil)
	if err != nil {
		return 0, unsupported("%v", err)
	}
	start := time.Now()
	name := choice.OrderName(key.Order)
	if d.Order, _, err = name.For(problem, nil); err != nil {
		return 0, unsupported("%v", err)
	}
	d.Compiled, _, err = choice.Compile(ctx, problem, choice.Choice{Order: name}, choice.Resources{Bytes: most})
	d.Seconds = time.Since(start).Seconds()
	if err != nil {
		return 0, limited(err)
	}
	d.Nodes = d.Compiled.Nodes(robdd.BDD)
	return d.Compiled.Bytes(), nil
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
	_, err := fresh.compile(ctx, key, p.limits.CompileBytes)
	return fresh.Seconds, err
}

// settle publishes a compiled diagram and drops what no longer fits.
func (p *Pool) settle(key Key, d *CompiledBoard, bytes int64, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	d.measured, d.err = bytes, err
	close(d.ready)
	if err != nil {
		if p.diagrams[key] == d {
			delete(p.diagrams, key)
		}
		return
	}
	p.compiles++
	if p.diagrams[key] != d { // a loaded one has replaced it
		d.measured = 0
		return
	}
	p.bytes += d.measured
	p.fit(d)
}

// Load loads a saved diagram of the whole N-queens problem, whose size may exceed MaxBDD,
// and returns the keys to borrow it by: one for each name of its order, or one with the
// file's name. It checks the file's metadata and counts the solutions to make sure that
// this is the N-queens function.
func (p *Pool) Load(ctx context.Context, file string) ([]Key, error) {
	fail := func(err error) ([]Key, error) { return nil, fmt.Errorf("loading diagram %s: %w", file, err) }
	start := time.Now()
	diagram, meta, err := robdd.Load(ctx, file)
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
	// The count alone would accept a diagram of another problem with as many solutions.
	if err := bdd.Describes(meta, problem); err != nil {
		return fail(err)
	}
	compiled := bdd.Loaded(problem, meta[bdd.MetaConstruction], diagram,
		robdd.Config{MaxBytes: p.limits.CompileBytes})
	count, err := bdd.New(compiled).Count(ctx, nil)
	if err != nil {
		return fail(err)
	}
	if known, ok := board.KnownSolutions(n); !ok || !count.IsUint64() || count.Uint64() != known {
		return fail(fmt.Errorf("%s solutions: not the %d-queens function", count, n))
	}
	d := &CompiledBoard{
		Compiled: compiled, Order: o, Seconds: time.Since(start).Seconds(),
		ready: make(chan struct{}), loaded: true,
	}
	d.Nodes = d.Compiled.Nodes(robdd.BDD)
	close(d.ready)
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

// Bytes returns what the pool holds: compiled and loaded diagrams, and idle back-ends.
func (p *Pool) Bytes() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	bytes, seen := p.bytes, map[*CompiledBoard]bool{} // a loaded diagram may have several names
	for _, d := range p.diagrams {
		if d.loaded && !seen[d] {
			seen[d] = true
			bytes += d.Compiled.Bytes()
		}
	}
	return bytes
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
// loaded or compiles in an instant, otherwise the portfolio.
func (p *Pool) Default(n int) string {
	if n <= min(12, p.limits.MaxBDD) || p.loadedOf(n) != nil {
		return "bdd"
	}
	return "portfolio"
}

// Workers returns how many questions are worth answering at the same time.
func Workers() int { return runtime.GOMAXPROCS(0) }
