package pool

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"queens/ask"
	"queens/encode"
	"queens/order"
)

// CompileFor is the time limit for compiling the pool's own problem; meanwhile another back-end answers.
const CompileFor = time.Minute

// headStart is how long the first question waits until the problem is compiled: short for a person, and long enough for
// most problems.
const headStart = 200 * time.Millisecond

// own is a problem that a pool serves apart from boards.
type own struct {
	ctx          context.Context // of the compilation in the background
	problem      encode.Problem
	order        order.Order // given with the problem; nil if none was
	first, later Key         // before and after it is compiled; equal if it is not to be compiled
	compile      sync.Once
	done         chan struct{} // closed once compiling has ended
	graph        atomic.Pointer[ask.CompiledDDNNF]
}

// Own has the pool serve a problem for keys without a size. Unless the choice names a back-end, the
// back-end that suits the problem answers at first. A d-DNNF takes over once it is compiled, or a diagram if the problem lies on
// a board, if that succeeds before the context ends and within a time limit and the pool's memory. Own must be called
// before anything is borrowed. The error is that of [ask.Resolve].
func (p *Pool) Own(ctx context.Context, problem encode.Problem, c ask.Choice, o order.Order) error {
	plan, err := ask.Resolve(problem, c, ask.Valid)
	if err != nil {
		return err
	}
	p.own = &own{ctx: ctx, problem: problem, order: o, first: Key{Choice: plan.ForSessions(c).Choice}, done: make(chan struct{})}
	p.own.later = p.own.first
	if c.Backend == "" {
		if c.Backend = ask.Diagram; problem.Place == nil && c.Order == "" {
			c.Backend = ask.DDNNF
		}
		if plan, err = ask.Resolve(problem, c, ask.Valid); err == nil {
			p.own.later = Key{Choice: plan.Choice}
		}
	}
	return nil
}

// Problem returns the problem of [Pool.Own].
func (p *Pool) Problem() encode.Problem { return p.own.problem }

// ownKey returns the key for the pool's own problem, and starts to compile it.
func (p *Pool) ownKey() (Key, error) {
	if p.own.first == p.own.later {
		return p.own.first, nil
	}
	p.own.compile.Do(func() {
		go p.compileOwn()
		select {
		case <-p.own.done:
		case <-time.After(headStart):
		}
	})
	if p.own.graph.Load() != nil || p.holds(p.own.later) {
		return p.own.later, nil
	}
	return p.own.first, nil
}

// compileOwn compiles the pool's own problem. If that fails, the first back-end continues to answer.
func (p *Pool) compileOwn() {
	defer close(p.own.done)
	ctx, cancel := context.WithTimeout(p.own.ctx, CompileFor)
	defer cancel()
	var err error
	if p.own.later.Backend == ask.Diagram {
		_, err = p.compiled(ctx, p.own.later)
	} else {
		var g *ask.CompiledDDNNF
		if g, err = ask.CompileDDNNF(ctx, p.own.problem, ask.Resources{Bytes: p.limits.CompileBytes, Progress: p.Progress}); err == nil {
			p.own.graph.Store(g)
			p.mu.Lock()
			p.bytes += g.Bytes()
			p.fit(nil)
			p.mu.Unlock()
		}
	}
	if err != nil && p.own.ctx.Err() == nil && p.Kept != nil {
		p.Kept(p.own.first, err)
	}
}
