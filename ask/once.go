package ask

import (
	"context"
	"errors"
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

// The first budgets of [inTurn]: search may examine so many variables and constraints (some 3 ms), and the diagram create
// so many nodes (some 150 ms). They are counts, not times, so the same back-end answers in every run and on every
// machine. Search keeps the counts of components from one turn to the next, and so loses nothing; the diagram starts again.
const (
	firstSteps, moreSteps = 40_000, 25
	firstNodes, moreNodes = 1_000_000, 16
	stepsPerLiteral       = 100        // in the first budget: once or twice the time that finding the diagram's order takes
	mostSteps             = 20_000_000 // of a problem that is too large for a diagram
	mostTurns             = 3          // the last diagram may fill the memory

	// A diagram whose [order.Cost] is above largeDiagram gets none of the first largeTurns turns. Of 32 formulas, those that a diagram
	// counts sooner than search cost 1e5 to 4e7 (grids, local clauses, soletta, finance_decisional); those that search counts
	// sooner, but not within its first budget, cost 4e10 (random 3-SAT) to 5e55, except for windows-8 (5e7).
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
		case turn == 1:
			budget = min(max(steps, stepsPerLiteral*literals(p)), 2*moreSteps*steps)
		case turn > mostTurns:
			budget = 0 // no limit
		}
		a.Count, err = by.CountWithin(ctx, assume, budget)
		if err == nil && a.Count != nil {
			a.By, a.How = filled(d, p, c), d.Counting(p, Count)
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

// literals returns the number of literals of a problem's constraints.
func literals(p encode.Problem) (total uint64) {
	for _, c := range p.Constraints {
		total += uint64(len(c.Lits))
	}
	return total
}
