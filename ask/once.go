package ask

import (
	"context"
	"errors"
	"time"

	"queens/encode"
	"queens/encode/cnf"
)

// Once opens a back-end, asks it one question about the problem, and closes it.
func Once(ctx context.Context, p encode.Problem, c Choice, q Question, r Resources) (a Answer, err error) {
	start := time.Now()
	if err := Countable(p, q.Want); err != nil {
		return a, err
	}
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

// Countable returns an error if what is wanted would leave out weights that the problem's file gives.
func Countable(p encode.Problem, want Want) error {
	if p.Weighted == "" || want&(Count|CountEach|Sample) == 0 {
		return nil
	}
	return wrong("problem", "%s: counts and samples that leave weights out are not offered; valid and solve do not depend on them",
		p.Weighted)
}

// counted counts by the outside counter that the choice names. The answer's Count is nil if it names none.
func counted(ctx context.Context, p encode.Problem, c Choice, assume []cnf.Lit, r Resources) (a Answer, err error) {
	counter, outside := c.Counter.Find(r.Programs)
	switch {
	case !outside:
		return a, nil
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
