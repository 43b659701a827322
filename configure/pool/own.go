package pool

import (
	"cmp"
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

// compileFor is how long the diagram of a problem of one's own may take to build, while a solver
// answers.
const compileFor = time.Minute

// headStart is how long the first question waits for the diagram: not long for a person, and long
// enough for most diagrams.
const headStart = 200 * time.Millisecond

// own is a problem that a pool serves besides boards.
type own struct {
	ctx     context.Context // of the compilation that nobody waits for
	problem encode.Problem
	choice  ask.Choice
	order   order.Order // that came with the problem; nil if none did
	compile sync.Once
}

// Own has the pool serve a problem under keys without a size. Unless the choice names a back-end, a
// SAT solver answers at once, and a diagram as soon as there is one: it is built
// meanwhile, within the context, some time and the pool's memory. Own is called before anything is
// borrowed.
func (p *Pool) Own(ctx context.Context, problem encode.Problem, c ask.Choice, o order.Order) {
	p.own = &own{ctx: ctx, problem: problem, choice: c, order: o}
}

// Problem returns the problem of [Pool.Own].
func (p *Pool) Problem() encode.Problem { return p.own.problem }

// checkOwn fills in the defaults of a key of the pool's own problem, and begins to build its diagram.
func (p *Pool) checkOwn(key *Key) {
	key.Order = ""
	if key.Backend = cmp.Or(key.Backend, string(p.own.choice.Backend)); key.Backend != "" {
		return
	}
	p.own.compile.Do(func() {
		done := make(chan struct{})
		go func() {
			defer close(done)
			ctx, cancel := context.WithTimeout(p.own.ctx, compileFor)
			defer cancel()
			p.Compile(ctx, 0, "") // if there is none, the solver goes on answering
		}()
		select {
		case <-done:
		case <-time.After(headStart):
		}
	})
	if key.Backend = "sat"; p.holds(Key{Backend: "bdd"}) {
		key.Backend = "bdd"
	}
}

// holds reports whether the pool has the diagram of a key.
func (p *Pool) holds(key Key) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	d := p.diagrams[key]
	return d != nil && d.Compiled != nil
}

// problem returns the problem that a key is about.
func (p *Pool) problem(key Key) (encode.Problem, error) {
	if key.N == 0 {
		return p.own.problem, nil
	}
	made, err := encode.Queens(key.N, nil, nil)
	if err != nil {
		return made, &UnsupportedError{err}
	}
	return made, nil
}

// choice returns who answers for a key, and what that may use.
func (p *Pool) choice(key Key) (ask.Choice, ask.Resources) {
	c, r := ask.Choice{Order: ask.OrderName(key.Order)}, ask.Resources{Bytes: p.limits.CompileBytes}
	if key.N == 0 {
		c, r.Order = p.own.choice, p.own.order
	}
	c.Backend = ask.BackendName(key.Backend)
	return c, r
}

// Lent answers questions by a back-end that it borrows for each, so any number of goroutines may
// ask it, and a question need not wait for another.
type Lent struct {
	pool *Pool
	key  Key
}

// Lent returns a back-end for a key.
func (p *Pool) Lent(key Key) Lent { return Lent{p, key} }

var _ backends.Backend = Lent{}

// Do has a borrowed back-end do something.
func (l Lent) Do(ctx context.Context, do func(*Lease) error) error {
	lease, err := l.pool.Borrow(ctx, l.key)
	if err != nil {
		return err
	}
	defer l.pool.Return(lease)
	return do(lease)
}

// Wait waits for the diagram, if one is to take over from a solver. Afterwards it answers, unless there
// is none within the pool's limits.
func (l Lent) Wait(ctx context.Context) error {
	if l.key.N > 0 || l.key.Backend != "" || l.pool.own.choice.Backend != "" {
		return nil
	}
	brief, cancel := context.WithTimeout(ctx, compileFor)
	defer cancel()
	l.pool.Compile(brief, 0, "") // the solver goes on answering if this fails
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
