package pool

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"queens/ask"
	"queens/backends"
	"queens/encode/cnf"
	"queens/internal/param"
	"queens/order"
	"queens/robdd"
)

// Diagram is the diagram of a board or of the pool's own problem, shared by all who use it.
type Diagram struct {
	*ask.Compiled // nil until compiled; set under the pool's lock, by the holder of turn
	Order         order.Order
	Seconds       float64 // taken to compile or load

	turn     chan struct{} // to compile; holds one element while somebody does
	lastUse  int64
	loaded   bool  // from a file, so never dropped
	measured int64 // bytes counted by the pool; 0 until compiled, and if loaded. Under its lock
}

// compile builds the diagram within the pool's limits.
func (d *Diagram) compile(ctx context.Context, p *Pool, key Key) error {
	problem, r, err := p.problem(key.N)
	if err != nil {
		return err
	}
	start := time.Now()
	if key.N > 0 {
		if r.Order, err = key.Order.Read(problem.Names); err == nil {
			d.Order, _, err = key.Order.For(ctx, problem, r.Order)
		}
		if err != nil && ctx.Err() == nil {
			return &UnsupportedError{err}
		}
	}
	made, err := ask.Compile(ctx, problem, key.Choice, r)
	if errors.As(err, new(*backends.LimitError)) || errors.As(err, new(*param.Error)) { // the caller's mistake
		return &UnsupportedError{err}
	}
	if err != nil {
		return err
	}
	d.Seconds = time.Since(start).Seconds()
	d.Compiled = made
	return nil
}

// compiled returns the diagram of a key, and builds it if the pool does not hold it. Concurrent callers
// for the same diagram take turns: the first builds it, and if that fails, the next one tries.
func (p *Pool) compiled(ctx context.Context, key Key) (*Diagram, error) {
	key = key.diagram()
	p.mu.Lock()
	d, held := p.diagrams[key]
	if !held {
		d = &Diagram{turn: make(chan struct{}, 1)}
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
	var made Diagram
	defer func() { p.settle(key, d, made) }() // deferred, so that it runs even after a panic
	if err := made.compile(ctx, p, key); err != nil {
		return nil, err
	}
	return d, nil
}

// settle publishes a compiled diagram, or the failure to compile it, and drops what no longer fits.
func (p *Pool) settle(key Key, d *Diagram, made Diagram) {
	p.mu.Lock()
	defer p.mu.Unlock()
	d.Compiled, d.Order, d.Seconds = made.Compiled, made.Order, made.Seconds
	switch held := p.diagrams[key]; {
	case held != nil && held != d: // another one was loaded or made in the meantime
	case d.Compiled == nil:
		delete(p.diagrams, key)
	default:
		p.diagrams[key] = d
		d.measured = d.Compiled.Bytes()
		p.bytes += d.measured
		p.fit(d)
	}
}

// holds reports whether the pool has the diagram of a key.
func (p *Pool) holds(key Key) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	d := p.diagrams[key.diagram()]
	return d != nil && d.Compiled != nil
}

// Load loads a saved diagram of the whole N-queens problem, whose size may exceed MaxBDD. It returns the
// keys by which to borrow it: one for each name of its order, or one with the file's name. The file's
// metadata must say that it is this problem.
func (p *Pool) Load(ctx context.Context, file string) ([]Key, error) {
	start := time.Now()
	compiled, saved, err := ask.LoadBoard(ctx, file, p.limits.MaxN, p.limits.CompileBytes)
	if err != nil {
		return nil, err
	}
	zdd, err := compiled.As(ctx, robdd.ZDD) // made now, since questions use the ZDD
	if err != nil {
		return nil, fmt.Errorf("loading diagram %s: %w", file, err)
	}
	o := make(order.Order, zdd.Vars())
	for level, v := range zdd.Order() {
		o[level] = cnf.Var(v)
	}
	d := &Diagram{
		Compiled: compiled, Order: o, Seconds: time.Since(start).Seconds(), turn: make(chan struct{}, 1), loaded: true,
	}
	keys := keysOf(compiled.Problem.N, o, saved, filepath.Base(file))
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, key := range keys {
		if p.diagrams[key] != nil {
			p.drop(key)
		}
		p.diagrams[key] = d
	}
	clear(p.keys) // keys made before it was loaded
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
	if names == nil { // a file may be called anything, and its name is shown on terminals
		names = []string{strings.Map(func(r rune) rune {
			if unicode.IsControl(r) {
				return unicode.ReplacementChar
			}
			return r
		}, strings.ToValidUTF8(file, string(unicode.ReplacementChar)))}
	}
	var keys []Key
	for _, name := range names {
		keys = append(keys, Key{n, ask.Choice{Backend: ask.Diagram, Order: ask.OrderName(name)}})
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
	slices.SortFunc(keys, func(a, b Key) int { return cmp.Or(a.N-b.N, cmp.Compare(a.Order, b.Order)) })
	return keys
}

// savedOf lists the orders of a board's saved diagrams, row-major first.
func (p *Pool) savedOf(n int) (orders []ask.OrderName) {
	for _, key := range p.Loaded() {
		switch {
		case key.N != n:
		case key.Order == ask.RowMajor:
			orders = slices.Insert(orders, 0, key.Order)
		default:
			orders = append(orders, key.Order)
		}
	}
	return orders
}
