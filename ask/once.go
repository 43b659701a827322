package ask

import (
	"context"
	"errors"
	"time"

	"queens/backends/search"
	"queens/encode"
	"queens/encode/cnf"
)

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
	s, err := Start(ctx, p, c, q.Want, r)
	if err != nil {
		return Answer{}, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	made := time.Since(start)
	a, err = s.Ask(ctx, q)
	a.Seconds += made.Seconds()
	return a, err
}

// counted counts without opening a back-end: by the outside counter that the choice names, or else by
// search, within a budget. The answer's Count is nil if neither applies.
func counted(ctx context.Context, p encode.Problem, c Choice, assume []cnf.Lit, r Resources) (a Answer, err error) {
	counter, outside := c.Counter.Find(r.Programs)
	switch {
	case !outside:
		return bySearch(ctx, p, c, assume, searchFirst)
	case c.Backend != "":
		return a, wrong("counter", "it counts in place of back-end %s", c.Backend)
	}
	a.By, a.How = c, counter.Command
	a.Count, err = counter.Count(ctx, p.With(assume...))
	if err != nil && ctx.Err() == nil {
		err = wrong("counter", "%v", err)
	}
	if err == nil {
		a.holds(a.Count.Sign() > 0)
	}
	return a, err
}

// searchFirst is the work, in variables and constraints examined, after which [bySearch] gives up: about a
// second. It is not a time limit, so the same back-end answers in every run and on every machine.
const searchFirst = 20_000_000

// bySearch counts the solutions of a problem that is not a board by search, within a budget of work:
// search counts nearly every published feature model before its diagram is built. The answer's Count is
// nil, which leaves the problem to another back-end, if the budget runs out, the problem is a board, or
// the choice does not fit search.
func bySearch(ctx context.Context, p encode.Problem, c Choice, assume []cnf.Lit, budget uint64) (a Answer, err error) {
	d, err := Named(string(Search), Count)
	if err != nil || c.Backend != "" || p.Place != nil || conflict(d, c) != nil {
		return a, err
	}
	a.Count, err = search.New(p).CountWithin(ctx, assume, budget)
	if err == nil && a.Count != nil {
		a.By, a.How = filled(d, p, c), d.Counting(p, Count)
		a.holds(a.Count.Sign() > 0)
	}
	return a, err
}
