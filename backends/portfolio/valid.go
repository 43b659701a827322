package portfolio

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"queens/backends"
	"queens/backends/recall"
	"queens/backends/search"
	"queens/board"
	"queens/encode/cnf"
)

var ways = []backends.Way[func(*Oracle, context.Context, []cnf.Lit) (backends.Valid, error)]{
	{Method: backends.Method{
		Name: "staged", Title: "staged",
		Doc: "lets each contestant settle what those before it left open: on boards local search and backtracking; on other " +
			"problems near and sat, in turns that double",
	}, Answer: (*Oracle).staged},
	{Method: backends.Method{
		Name: "remember", Title: "remember", Remembers: true,
		Doc: "is staged, but keeps answers",
	}, Answer: (*Oracle).remember},
}

// Methods lists the methods, the best first.
func Methods() []backends.Method { return backends.Methods(ways) }

// Valid implements [backends.Backend].
func (o *Oracle) Valid(ctx context.Context, assume []cnf.Lit, method string) (backends.Valid, error) {
	way, err := backends.Choose(ways, "portfolio", method)
	if err != nil {
		return backends.Valid{}, err
	}
	found, err := way.Answer(o, ctx, assume)
	found.Method = way.Name
	return found, err
}

// staged finds the valid cells by one part after the other. On a board of size up to 32 that holds a queen,
// exact search answers alone. On other boards the parts run in this sequence:
//
//  1. Unit reasoning removes cells that cannot hold a queen, the attacked ones first.
//  2. Local search finds a solution and walks from it to others, towards unseen cells. A symmetry of
//     the question maps solutions to solutions, so a solution also shows its images.
//  3. Where at most 64 rows are open, backtracking on bit masks shows or refutes the remaining cells
//     one by one, within a limit.
//  4. Local search tries to find a solution through each remaining cell.
//  5. Backtracking without a limit settles the rest: of 18 boards with random diagonals excluded 2 came so far, of 198 with
//     random placements none. A solver in its place was never sooner.
//
// Without 2, an empty board of 50 takes six times as long and one of 100 seventy times; without 3,
// half of 40 four times and three quarters of 64 a hundred times; without 4, an eighth of 100 sixty
// times. Two refinements gained nothing on boards of 33 to 100 and were removed: a look-ahead for cells
// that would empty a line, and solutions kept from earlier questions.
//
// Each part counts its work in its own units: steps of local search; queens placed by backtracking (where more than 64
// rows are open, literals set). The count is 0 for a part that did not run.
func (o *Oracle) staged(ctx context.Context, assume []cnf.Lit) (backends.Valid, error) {
	if err := o.problem.CheckAssumptions(assume); err != nil {
		return backends.Valid{}, err
	}
	if o.exact != nil && (holdsQueen(o.problem.Fixed) || holdsQueen(assume)) {
		found, err := o.exact.Valid(ctx, assume, search.Supports)
		found.Work = work(0, found.Work.Of("queens"))
		return found, err
	}
	q := o.question(assume)
	q.symmetries = board.Keeping(o.problem.N, o.problem.Values(assume))
	if err := q.settle(ctx); err != nil {
		return backends.Valid{}, fmt.Errorf("finding the valid cells of %s: %w", o.problem, err)
	}
	return q.valid(), nil
}

// remember returns a kept answer, or asks staged and keeps its answer. Sessions in which a quarter of the clicks takes a
// queen back need .7 to .8 of staged's time from n = 12 to 50, and as much at n = 8. Keeping solutions, too, would gain
// nothing.
func (o *Oracle) remember(ctx context.Context, assume []cnf.Lit) (backends.Valid, error) {
	if err := cmp.Or(ctx.Err(), o.problem.CheckAssumptions(assume)); err != nil {
		return backends.Valid{}, err
	}
	if o.memory == nil {
		o.memory = recall.New(o.problem.NumVars())
	}
	if found, known := o.memory.Ask(assume); known {
		found.Work = work(0, 0)
		return found, nil
	}
	found, err := o.staged(ctx, assume)
	if err == nil {
		o.memory.Answered(found)
	}
	return found, err
}

func holdsQueen(lits []cnf.Lit) bool { return slices.ContainsFunc(lits, cnf.Lit.Positive) }

func work(steps, queens int64) backends.Work {
	return backends.Work{{Name: "local search steps", N: steps}, {Name: "search queens", N: queens}}
}
