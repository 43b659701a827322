package ask

import (
	"cmp"
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"time"

	"queens/backends"
	"queens/encode"
	"queens/encode/cnf"
)

// Question is a question to an [Opened] back-end about its problem.
type Question struct {
	Assume []cnf.Lit
	Want   Want
	// Also lists counts that are wanted only if the back-end need not visit every solution for them.
	Also Want
	Seed uint64 // for Sample
}

// Answer is the answer to a [Question]. Fields that were not wanted are empty.
type Answer struct {
	Status backends.Status
	// Model is a solution or a sample. Core is a set of assumptions that no solution satisfies, as in
	// [backends.Answer].
	Model, Core []cnf.Lit
	// Valid lists the variables that are true in some solution, Forced those that are true in all.
	Valid, Forced []cnf.Var
	Count         *big.Int
	Each          []*big.Int // by variable-1
	Work          backends.Work
	// Seconds is the time spent on Want, not on Also; [Once] includes opening the back-end.
	Seconds float64
	By      Choice // the completed choice that answered
	// How is the method that found Valid, a word for how the solutions were counted, the
	// contest's winner, the portfolio's back-end that solved, or the counter's command.
	How string
}

// Opened asks one back-end about one problem. Like the back-end, it serves one goroutine at a time.
// Close it after use.
type Opened struct {
	Plan
	backends.Backend
}

// Start opens the back-end that a choice names, or else one that suits the problem, the wanted answers and
// the rest of the choice: see [Resolve] and [Begin].
func Start(ctx context.Context, p encode.Problem, c Choice, want Want, r Resources) (*Opened, error) {
	switch {
	case c.Backend != "":
	case r.Diagram != nil:
		c.Backend = Diagram
	case r.DDNNF != nil:
		c.Backend = DDNNF
	}
	plan, err := Resolve(p, c, want)
	if err != nil {
		return nil, err
	}
	return Begin(ctx, plan, r)
}

// Begin opens a plan's back-end and, for valid cells, prepares the plan's method. It does no work beyond the
// back-end's own.
func Begin(ctx context.Context, plan Plan, r Resources) (*Opened, error) {
	made, err := plan.Descriptor.Open(ctx, plan.Problem, plan.Choice, r)
	if err != nil {
		return nil, err
	}
	if ordered, is := made.(interface{ OrderName() string }); is {
		plan.Choice.Order = OrderName(ordered.OrderName())
	}
	if made, is := made.(backends.Preparer); is && plan.Want&Valid != 0 {
		if err := made.Prepare(ctx, string(plan.Choice.Method)); err != nil {
			return nil, errors.Join(err, made.Close())
		}
	}
	return &Opened{plan, made}, nil
}

// Valid implements [backends.Backend]; an empty method means the choice's method.
func (s *Opened) Valid(ctx context.Context, assume []cnf.Lit, method string) (backends.Valid, error) {
	return s.Backend.Valid(ctx, assume, cmp.Or(method, string(s.Choice.Method)))
}

// SolveWithin implements [backends.Bounded] for any back-end, as [backends.SolveWithin] does.
func (s *Opened) SolveWithin(ctx context.Context, assume []cnf.Lit, steps uint64) (backends.Answer, uint64, error) {
	return backends.SolveWithin(ctx, s.Backend, assume, steps)
}

// Ask answers a question.
func (s *Opened) Ask(ctx context.Context, q Question) (a Answer, err error) {
	if err := Countable(s.Problem, q.Want); err != nil {
		return a, err
	}
	a.By = s.Choice
	start := time.Now()
	if q.Want&Solve != 0 {
		found, err := s.Solve(ctx, q.Assume)
		if err != nil {
			return a, err
		}
		a.Status, a.Model, a.Core = found.Status, found.Model, found.Core
		if q.Want == Solve {
			a.How = found.By
		}
	}
	if q.Want&Valid != 0 {
		found, err := s.Backend.Valid(ctx, q.Assume, string(s.Choice.Method))
		if err != nil {
			return a, err
		}
		a.Valid, a.Forced, a.Work, a.How = found.Possible, found.Forced, found.Work, found.Method
		a.holds(found.Satisfiable)
	}
	if q.Want&Sample != 0 {
		if a.Model, err = s.sample(ctx, q); err != nil {
			return a, err
		}
		a.holds(a.Model != nil)
	}
	if err := s.count(ctx, q.Assume, q.Want, &a); err != nil {
		return a, err
	}
	a.Seconds = time.Since(start).Seconds()
	if s.Descriptor.AtOnce && Countable(s.Problem, q.Also) == nil {
		return a, s.count(ctx, q.Assume, q.Also, &a)
	}
	return a, nil
}

// sample draws a solution; nil if there is none. If the back-end cannot sample, it visits all solutions,
// and the i-th replaces the one drawn so far with probability 1/i.
func (s *Opened) sample(ctx context.Context, q Question) (drawn []cnf.Lit, err error) {
	if sampler, can := s.Backend.(backends.Sampler); can {
		for drawn, err = range sampler.Samples(ctx, q.Assume, q.Seed) {
			break
		}
		return drawn, err
	}
	random, seen := rand.New(rand.NewPCG(q.Seed, 0)), uint64(0)
	for model, err := range s.Solutions(ctx, q.Assume) {
		if err != nil {
			return nil, err
		}
		if seen++; random.Uint64N(seen) == 0 {
			drawn = model
		}
	}
	return drawn, nil
}

// count adds the wanted counts to an answer.
func (s *Opened) count(ctx context.Context, assume []cnf.Lit, want Want, a *Answer) (err error) {
	if want&(Count|CountEach) == 0 {
		return nil
	}
	counter, can := s.Backend.(backends.Counter)
	if !can {
		return wrong("backend", "%s does not count", s.Descriptor.Name)
	}
	if want&CountEach != 0 {
		a.Count, a.Each, err = counter.CountEach(ctx, assume)
	} else {
		a.Count, err = counter.Count(ctx, assume)
	}
	if err != nil {
		return err
	}
	contest, held := s.Backend.(interface {
		Winner() string
		Spent() backends.Work
	})
	switch {
	case a.How != "":
	case held:
		a.How, a.Work = contest.Winner(), contest.Spent()
	default:
		a.How = s.Descriptor.Counting
	}
	a.holds(a.Count.Sign() > 0)
	return nil
}

// holds sets the status: Sat if there is a solution, Unsat otherwise.
func (a *Answer) holds(satisfiable bool) {
	if a.Status = backends.Unsat; satisfiable {
		a.Status = backends.Sat
	}
}
