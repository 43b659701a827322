package pool

import (
	"context"
	"sync"
	"time"

	"queens/ask"
	"queens/encode"
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
	first, later Key         // before and after the diagram is built; equal if no diagram is to be built
	compile      sync.Once
}

// Own has the pool serve a problem for keys without a size. Unless the choice names a back-end, the
// back-end that suits the problem answers at first. A diagram takes over once it is built, if that
// succeeds before the context ends and within a time limit and the pool's memory. Own must be called
// before anything is borrowed. The error is that of [ask.Resolve].
func (p *Pool) Own(ctx context.Context, problem encode.Problem, c ask.Choice, o order.Order) error {
	plan, err := ask.Resolve(problem, c, ask.Valid)
	if err != nil {
		return err
	}
	p.own = &own{ctx: ctx, problem: problem, order: o, first: Key{Choice: plan.ForSessions(c).Choice}}
	p.own.later = p.own.first
	if c.Backend == "" {
		c.Backend = ask.Diagram
		if plan, err = ask.Resolve(problem, c, ask.Valid); err == nil {
			p.own.later = Key{Choice: plan.Choice}
		}
	}
	return nil
}

// Problem returns the problem of [Pool.Own].
func (p *Pool) Problem() encode.Problem { return p.own.problem }

// ownKey returns the key for the pool's own problem, and starts to build its diagram.
func (p *Pool) ownKey() (Key, error) {
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
