package ask

import (
	"context"
	"errors"
	"math"
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

// The budgets of [inTurn]: search may examine so many variables and constraints (40,000 take some 2 ms), and the first diagram
// create so many nodes (some 150 ms). They are counts, not times, so the same back-end answers in every run and on every
// machine. Search keeps the counts of components from one turn to the next, and so loses nothing; the diagram starts again.
const (
	firstSteps, moreSteps = 40_000, 25
	firstNodes, moreNodes = 1_000_000, 16
	stepsPerVisit         = 100        // of search, in the time that finding an order takes for each unit of [order.Size], within a factor of 2
	mostFirst             = 2_000_000  // finding an order takes a bounded time
	mostSteps             = 20_000_000 // of a problem that is too large for a diagram
	mostTurns             = 3          // the last diagram may fill the memory

	// Where 1 to 2^fewBits solutions are expected, search visits them first, within firstVisits (some 2 ms): random 3-SAT of
	// 50 variables takes .9 ms, by components 12. Of 33 other formulas one is expected to have so few.
	fewBits     = 15
	firstVisits = 10_000

	// A diagram whose [order.Cost] is above largeDiagram gets none of the first largeTurns turns. Of 32 formulas, those that a diagram
	// counts sooner than search cost 1e5 to 4e7 (grids, local clauses, soletta, finance_decisional); those that search counts
	// sooner, but not in its first turn, cost 4e10 (random 3-SAT) to 5e55, except for windows-8 (5e7).
	largeDiagram = 1 << 30
	largeTurns   = 2
)

// inTurn counts the solutions of a problem that is not a board by search and by a diagram in turn, with growing
// budgets: each counts some models a hundred times as fast as the other. After search's first turn the diagram's order is
// found, and with it what the diagram is expected to cost. When memory does not suffice for the diagram,
// search goes on alone. The answer's Count is nil, which leaves the problem to another back-end, if the problem
// is a board, the choice does not fit search, or the problem is too large for a diagram and for mostSteps.
func inTurn(ctx context.Context, p encode.Problem, c Choice, assume []cnf.Lit, r Resources) (a Answer, err error) {
	d, err := Named(string(Search), Count)
	if err != nil || c.Backend != "" || p.Place != nil || conflict(d, c) != nil {
		return a, err
	}
	diagram := c
	diagram.Backend = Diagram
	drawn := describe(Diagram).Accepts(p) == nil
	by, nodes, large := search.New(p), uint64(firstNodes), false
	for turn, steps := 1, uint64(firstSteps); ; turn, steps, nodes = turn+1, moreSteps*steps, moreNodes*nodes {
		budget := steps
		switch {
		case !drawn:
			budget = mostSteps
		case turn > mostTurns:
			budget = 0 // no limit
		}
		how := d.Counting(p, Count)
		if bits := expected(p); turn == 1 && 0 <= bits && bits <= fewBits {
			a.Count, err = by.CountVisiting(ctx, assume, firstVisits)
		}
		switch {
		case a.Count != nil || err != nil:
			how = d.Counting(p, CountEach)
		case turn == 1 && drawn:
			a.Count, err = by.CountWhile(ctx, assume, sooner(p))
		default:
			a.Count, err = by.CountWithin(ctx, assume, budget)
		}
		if err == nil && a.Count != nil {
			a.By, a.How = filled(d, p, c), how
			a.holds(a.Count.Sign() > 0)
		}
		if err != nil || a.Count != nil || !drawn {
			return a, err
		}
		if turn == 1 {
			if r.order.made, r.order.name, err = c.Order.For(ctx, p, r.Order); err != nil {
				return a, err
			}
			large = order.Cost(p, p.Constraints, r.order.made) > largeDiagram
		}
		if large && turn <= largeTurns {
			continue
		}
		if r.created = nodes; turn == mostTurns {
			r.created = 0
		}
		if a, err = Once(ctx, p, diagram, Question{Assume: assume, Want: Count}, r); err == nil {
			return a, nil
		}
		if !errors.As(err, new(*robdd.LimitError)) {
			return a, err
		}
	}
}

// sooner returns whether search goes on in its first turn: for a quarter of the time in which the diagram's order could be
// found, and as long as it expects to end before that, by the share of the solutions that it has counted.
func sooner(p encode.Problem) func(steps uint64, counted float64) bool {
	found := 0.0 // steps in which the order could be found
	return func(steps uint64, counted float64) bool {
		spent := float64(steps)
		if found == 0 && steps > 0 {
			found = min(float64(stepsPerVisit*order.Size(p)), mostFirst)
		}
		return steps == 0 || spent < found/4 || spent/counted-spent <= found
	}
}

// expected returns the logarithm, to base 2, of the number of solutions that a problem would have if its constraints held
// independently of each other. It is below 0 where they are not, as in many feature models.
func expected(p encode.Problem) float64 {
	bits := float64(p.AllVars() - len(p.Fixed))
	for _, c := range p.Constraints {
		n, part, most := len(c.Lits), 0.0, min(c.Most, len(c.Lits))
		choose := math.Exp2(-float64(n)) // the share of the assignments with k true literals
		for k := 0; k <= most; k++ {
			if k >= c.Least {
				part += choose
			}
			choose *= float64(n-k) / float64(k+1)
		}
		bits += math.Log2(part)
	}
	return bits
}
