package ask

import (
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"time"

	"queens/backends"
	"queens/backends/bdd"
	"queens/encode"
	"queens/encode/cnf"
	"queens/internal/system/program"
	"queens/order"
)

// Want is what an answer is to say; several things may be wanted together.
type Want uint8

// What can be wanted.
const (
	Valid     Want = 1 << iota // what each variable can still be
	Solve                      // a solution, or a core
	Count                      // how many solutions there are
	CountEach                  // and in how many of them each variable is true
	Sample                     // a solution drawn from all with the same probability
)

// Question is what is asked about a session's problem.
type Question struct {
	Assume []cnf.Lit
	Want   Want
	// Also is what is wanted only if the back-end need not visit every solution for it.
	Also Want
	Seed uint64 // of a sample
}

// Answer is the answer to a [Question]. What was not wanted is empty.
type Answer struct {
	Status backends.Status
	// Model is a solution or a sample, and Core assumptions that leave none, as in [backends.Answer].
	Model, Core []cnf.Lit
	// Valid are the variables that are true in some solution, Forced those that are in all.
	Valid, Forced []cnf.Var
	Count         *big.Int
	Each          []*big.Int // by variable-1
	Work          backends.Work
	// Seconds is the time that the answer took without what was wanted besides; [Once] includes
	// the making of the back-end.
	Seconds float64
	// Net is Seconds without what asking an outside program took besides the program's own work;
	// nil if that is not known.
	Net *float64
	By  Choice // who answered, with nothing left open
	How string // the method of finding what is valid, or a word for how solutions were counted
}

// Resources are what answering may use, and who is told about it. None of it changes an answer.
type Resources struct {
	Bytes    int64                // most memory for a diagram; 0 for no limit
	Diagram  *bdd.Compiled        // of the problem, if it is there already
	Order    order.Order          // of the variables, if the choice names none: that of the problem's file
	Programs program.Descriptions // that names may stand for
	Progress func(bdd.Progress)   // told how far the work has come; may be nil
	Trace    bool                 // count the nodes after each step of a construction
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

// Session asks one back-end about one problem. Like the back-end it serves one goroutine at a time.
// Close it after use.
type Session struct {
	Plan
	backends.Backend
	Compiled *bdd.Compiled // the diagram that answers; nil if none does
	keep     bool
	asked    []Question // since Keep
}

// Keep makes the session remember what it asks an outside solver, for [Session.Again].
func (s *Session) Keep() {
	if o, is := s.Backend.(outside); is {
		o.session.Keep()
		s.keep = true
	}
}

// Again puts all questions since [Session.Keep] once more and returns the answers, whose [Answer.Net]
// is as if the outside solver were linked in: its queries are sent in one batch first, so neither its
// process nor this one is asleep before each. It returns none for other back-ends, for a solver that
// does not tell its time, and where that is more than a second.
func (s *Session) Again(ctx context.Context) (list []Answer, err error) {
	if !s.keep {
		return nil, nil
	}
	s.keep = false
	if can, err := s.Backend.(outside).session.Again(ctx); !can {
		return nil, err
	}
	for _, q := range s.asked {
		a, err := s.Ask(ctx, q)
		if err != nil {
			return nil, err
		}
		list = append(list, a)
	}
	return list, nil
}

// Open makes the back-end that a choice names, or else one that suits the problem, what is wanted
// of it and the rest of the choice: see [Resolve] and [Plan.Open].
func Open(ctx context.Context, p encode.Problem, c Choice, want Want, r Resources) (*Session, error) {
	if r.Diagram != nil && c.Backend == "" {
		c.Backend = diagramBackend
	}
	plan, err := Resolve(p, c, want)
	if err != nil {
		return nil, err
	}
	return plan.Open(ctx, r)
}

// Open makes the plan's back-end, which costs only what the back-end itself does. Its errors are
// those of the problem, of the memory limit and of the machine.
func (p Plan) Open(ctx context.Context, r Resources) (*Session, error) {
	s := &Session{Plan: p}
	return s, p.Entry.open(ctx, s, r)
}

// Ask answers a question.
func (s *Session) Ask(ctx context.Context, q Question) (Answer, error) {
	a := Answer{By: s.Choice}
	start, before := time.Now(), s.Stats().Pipe
	if q.Want&Solve != 0 {
		found, err := s.Solve(ctx, q.Assume)
		if err != nil {
			return a, err
		}
		a.Status, a.Model, a.Core = found.Status, found.Model, found.Core
	}
	if q.Want&Valid != 0 {
		found, err := s.Valid(ctx, q.Assume, string(s.Choice.Method))
		if err != nil {
			return a, err
		}
		a.Valid, a.Forced, a.Work, a.How = found.Possible, found.Forced, found.Work, found.Method
		a.holds(found.Satisfiable)
	}
	if q.Want&Sample != 0 {
		var err error
		if a.Model, err = s.sample(ctx, q); err != nil {
			return a, err
		}
		a.holds(a.Model != nil)
	}
	if err := s.count(ctx, q.Assume, q.Want, &a); err != nil {
		return a, err
	}
	took := time.Since(start)
	a.Seconds = took.Seconds()
	if after := s.Stats(); !after.Untimed {
		net := (took - (after.Pipe - before)).Seconds()
		a.Net = &net
	}
	if s.keep {
		s.asked = append(s.asked, q)
	}
	if s.Entry.AtOnce {
		return a, s.count(ctx, q.Assume, q.Also, &a)
	}
	return a, nil
}

// sample draws a solution, nil if there is none. Where the back-end cannot, all solutions are listed, and
// the i-th takes the place of the one drawn so far with probability 1/i.
func (s *Session) sample(ctx context.Context, q Question) (drawn []cnf.Lit, err error) {
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

// count adds the counts that are wanted to an answer.
func (s *Session) count(ctx context.Context, assume []cnf.Lit, want Want, a *Answer) (err error) {
	if want&(Count|CountEach) == 0 {
		return nil
	}
	counter, can := s.Backend.(backends.Counter)
	if !can {
		return wrong("backend", "%s does not count", s.Entry.Name)
	}
	if want&CountEach != 0 {
		a.Count, a.Each, err = counter.CountEach(ctx, assume)
	} else {
		a.Count, err = counter.Count(ctx, assume)
	}
	if err != nil {
		return err
	}
	if a.How == "" {
		a.How = s.Entry.counting(s.problem, want)
	}
	a.holds(a.Count.Sign() > 0)
	return nil
}

// holds says whether there is a solution.
func (a *Answer) holds(satisfiable bool) {
	if a.Status = backends.Unsat; satisfiable {
		a.Status = backends.Sat
	}
}

// Once opens a back-end, asks it one question about the problem, and closes it.
func Once(ctx context.Context, p encode.Problem, c Choice, q Question, r Resources) (a Answer, err error) {
	start := time.Now()
	if q.Want == Count && r.Diagram == nil {
		a, err = counted(ctx, p, c, q.Assume, r)
		if err != nil || a.Count != nil {
			a.Seconds = time.Since(start).Seconds()
			return a, err
		}
	}
	s, err := Open(ctx, p, c, q.Want, r)
	if err != nil {
		return Answer{}, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	made := time.Since(start)
	a, err = s.Ask(ctx, q)
	a.Seconds += made.Seconds()
	return a, err
}
