package ask

import (
	"context"
	"io"

	"queens/backends/bdd"
	"queens/encode"
	"queens/order"
	"queens/system/program"
)

// Resources are what answering may use, and who is told about it. None of it changes an answer.
type Resources struct {
	Bytes     int64                // most memory for a diagram; 0 for no limit
	Diagram   *bdd.Compiled        // of the problem, if it is there already
	FileOrder order.Order          // that the problem's file gives its variables; nil if none
	Programs  program.Descriptions // that names may stand for
	Progress  func(bdd.Progress)   // told how far the work has come; may be nil
	Trace     bool                 // count the nodes after each step of a construction
}

// searching turns the progress of a search into that of a construction.
func (r Resources) searching() func(done, total int, completions uint64) {
	if r.Progress == nil {
		return nil
	}
	return func(done, total int, completions uint64) {
		r.Progress(bdd.Progress{Step: "part", Done: done, Total: total, Items: completions, Unit: "solutions"})
	}
}

// Plan is a checked choice for one problem, with nothing left open: what [Resolve] makes of a
// [Choice]. Opening it costs only what the back-end itself does, so a measured run resolves first.
type Plan struct {
	Backend Backend
	Choice  Choice
	problem encode.Problem
}

// Answerer is a back-end made by a plan. Close it after use.
type Answerer struct {
	Plan
	// Answers implements the interfaces of package backends that Backend.Can stands for.
	Answers any
}

// Close releases what the back-end holds besides memory.
func (a *Answerer) Close() error {
	if c, closes := a.Answers.(io.Closer); closes {
		return c.Close()
	}
	return nil
}

// Open makes the plan's back-end. Its errors are those of the problem, of the memory limit and of
// the machine.
func (p Plan) Open(ctx context.Context, r Resources) (*Answerer, error) {
	made, err := p.Backend.open(ctx, p.problem, p.Choice, r)
	if err != nil {
		return nil, err
	}
	return &Answerer{p, made}, nil
}

// Open makes the back-end that a choice names, or else one that has the wanted abilities and suits
// the problem and the rest of the choice: see [Resolve] and [Plan.Open].
func Open(ctx context.Context, p encode.Problem, c Choice, want Ability, r Resources) (*Answerer, error) {
	plan, err := Resolve(p, c, want)
	if err != nil {
		return nil, err
	}
	return plan.Open(ctx, r)
}

// Compile builds the diagram of a problem, of the kind that its construction makes. It also returns
// the choice with what was left open filled in; the kind of diagram is then an ROBDD.
func Compile(ctx context.Context, p encode.Problem, c Choice, r Resources) (*bdd.Compiled, Choice, error) {
	if err := c.Check(); err != nil {
		return nil, c, err
	}
	if err := bdd.CheckSize(p); err != nil {
		return nil, c, wrong("problem", "%s: %v", p, err)
	}
	if c.Diagram == "" {
		c.Diagram = "bdd"
	}
	b, err := Named("bdd", 0)
	if err != nil {
		return nil, c, err
	}
	return compile(ctx, p, c.filled(b, p), r)
}

// compile is [Compile] for a choice that is checked and has nothing left open.
func compile(ctx context.Context, p encode.Problem, c Choice, r Resources) (*bdd.Compiled, Choice, error) {
	construction, err := bdd.ConstructionNamed(string(c.Construction))
	if err == nil {
		err = construction.Check(p)
	}
	if err != nil {
		return nil, c, wrong("construction", "%v", err)
	}
	if c.Sift && !construction.Dynamic {
		return nil, c, wrong("sift", "construction %s does not change its order", construction.Name)
	}
	o, name, err := c.Order.For(p, r.FileOrder)
	if err != nil {
		return nil, c, err
	}
	c.Order = name
	compiled, err := bdd.Compile(ctx, p, o, bdd.Options{
		Construction: construction.Name, Sift: c.Sift, Workers: c.Workers,
		MaxBytes: r.Bytes, Progress: r.Progress, Trace: r.Trace,
	})
	return compiled, c, err
}
