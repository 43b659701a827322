package ask

import (
	"context"
	"errors"
	"math"
	"math/big"
	"sync"
	"time"

	"queens/backends/search"
	"queens/encode"
	"queens/encode/cnf"
	"queens/order"
	"queens/robdd"
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

// counted counts without opening a back-end: by the outside counter that the choice names, or else by
// search, within a budget. The answer's Count is nil if neither applies.
func counted(ctx context.Context, p encode.Problem, c Choice, assume []cnf.Lit, r Resources) (a Answer, err error) {
	counter, outside := c.Counter.Find(r.Programs)
	switch {
	case !outside:
		return inTurn(ctx, p, c, assume, r)
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

// The turns of [inTurn]. Search and the diagram both expect, from what they have done, how much is left: search in steps, which
// are variables and constraints examined, the diagram in nodes created. Each turn has a least length, and goes on while
// little is left. All of this is counted, not timed, so the same back-end answers in every run and on every
// machine. Search keeps the counts of components from one turn to the next, and so loses nothing. The diagram starts again,
// but mostly judges after a millisecond whether this turn suffices.
const (
	firstSteps = 20_000     // some .6 ms, or 8 times order.Size if that is more; later turns include the earlier ones
	stepsLeft  = 80         // times order.Size: three times as long as finding the first order takes
	nodesLeft  = 100_000    // some 10 ms; judged after a tenth
	longer     = 8          // times the last turn; finding the second order takes 5 to 10 times the first
	tooLarge   = 64         // times as many nodes as a turn may create: what is foreseen then is at most 30 times too large
	mostTurns  = 5          // the last diagram may fill the memory
	mostSteps  = 20_000_000 // of a problem that is too large for a diagram

	// A diagram whose [order.Cost] is above largeDiagram gets no first turn: of 80 formulas, those for which it suffices cost at
	// most 4e7, windows-8 1e8. Its first constraints may take long: 40 ms of financial-2018-05, at 5e55.
	largeDiagram = 1 << 26

	// Where 1 to 2^fewBits solutions are expected, search visits them first, two for each and at most mostVisits (some 1 ms):
	// random 3-SAT of 50 variables takes .7 ms, by components 8. Of 33 other formulas two are expected to have so few.
	fewBits    = 15
	mostVisits = 10_000
)

// inTurn counts the solutions of a problem that is not a board by search and by a diagram in turn, in longer and longer
// turns: each counts some models a hundred times as fast as the other. The first diagram has an order that is found quickly,
// the others one that takes ten times as long. When memory does not suffice for those, search goes on alone. The answer's
// Count is nil, which leaves the problem to another back-end, if the problem
// is a board, the choice does not fit search, or the problem is too large for a diagram and for mostSteps.
func inTurn(ctx context.Context, p encode.Problem, c Choice, assume []cnf.Lit, r Resources) (a Answer, err error) {
	d, err := Named(string(Search), Count)
	if err != nil || c.Backend != "" || p.Place != nil || conflict(d, c) != nil {
		return a, err
	}
	by := search.New(p)
	answer := func(count *big.Int, want Want, err error) (a Answer, _ error) {
		if err == nil && count != nil {
			a.Count, a.By, a.How = count, filled(d, p, c), d.Counting(p, want)
			a.holds(count.Sign() > 0)
		}
		return a, err
	}
	if bits := expected(p); 0 <= bits && bits <= fewBits {
		count, err := by.CountVisiting(ctx, assume, uint64(min(mostVisits, 2*math.Exp2(bits))))
		if err != nil || count != nil {
			return answer(count, CountEach, err)
		}
	}
	diagram := c
	diagram.Backend = Diagram
	drawn, alone := describe(Diagram).Accepts(p) == nil, false
	size := sync.OnceValue(func() float64 { return float64(order.Size(p)) })
	spent, foreseen := 0.0, 0.0 // steps of search in all, nodes of the diagram under its order
	for turn, times := 1, 1.0; ; turn, times = turn+1, longer*times {
		before := spent
		count, err := by.CountWhile(ctx, assume, func(done uint64, counted float64) bool {
			spent = before + float64(done)
			switch {
			case !drawn:
				return done < mostSteps
			case alone || done == 0:
				return true
			}
			return spent < max(firstSteps, 8*size())*times || spent/counted-spent <= stepsLeft*size()*times
		})
		if err != nil || count != nil || !drawn {
			return answer(count, Count, err)
		}
		switch {
		case turn == 1 && r.Order == nil:
			r.order.made, r.order.name, err = quickly(ctx, p)
		case turn <= 2:
			r.order.made, r.order.name, err = c.Order.For(ctx, p, r.Order)
		}
		if err != nil {
			return a, err
		}
		if turn == 1 && order.Cost(p, p.Constraints, r.order.made) > largeDiagram ||
			turn > 2 && turn < mostTurns && foreseen > tooLarge*nodesLeft*times {
			continue
		}
		if r.more = nodesLeft * uint64(times); turn == mostTurns {
			r.more = 0
		}
		if a, err = Once(ctx, p, diagram, Question{Assume: assume, Want: Count}, r); err == nil {
			return a, nil
		}
		var limit *robdd.LimitError
		if !errors.As(err, &limit) {
			return a, err
		}
		foreseen = float64(limit.Want)
		alone = turn > 1 && limit.What != "nodes created"
	}
}

// expected returns the logarithm, to base 2, of the number of solutions that a problem would have if its constraints held
// independently of each other. It is below 0 where they are not, as in many feature models.
func expected(p encode.Problem) float64 {
	bits := float64(p.AllVars() - len(p.Fixed))
	for _, c := range p.Constraints {
		if c.Weights == nil {
			bits += share(len(c.Lits), c.Least, min(c.Most, len(c.Lits)))
		}
	}
	return bits
}

// share returns the logarithm, to base 2, of the share of the assignments to n literals that make from least to most true.
func share(n, least, most int) float64 {
	switch {
	case least > n-most: // as many make so many false
		return share(n, n-most, n-least)
	case least <= 0 && 2*most > n:
		return math.Log2(1 - math.Exp2(share(n, 0, n-most-1)))
	}
	sum, of := math.Inf(-1), -float64(n) // with k true
	for k := 0; k <= most; k++ {
		if k >= least {
			sum = max(sum, of) + math.Log2(1+math.Exp2(-math.Abs(sum-of)))
		}
		of += math.Log2(float64(n-k) / float64(k+1))
	}
	return sum
}
