package portfolio

import (
	"context"
	"fmt"
	"slices"

	"queens/backends"
	"queens/board"
	"queens/encode/cnf"
)

// staged is the only method: each part works on what the parts before it have left
// open.
const staged = "staged"

// Methods lists the one method.
func Methods() []string { return []string{staged} }

// Valid implements [backends.Backend]. In this order:
//
//  1. Unit reasoning and a look-ahead on the board strike out cells that cannot
//     hold a queen. Attacked cells never get further.
//  2. Solutions kept from earlier questions show their cells, if they answer this
//     question too.
//  3. Local search finds a solution and walks from it to others, aiming at cells
//     that none has shown. A symmetry of the question is one of the answer, so
//     that a solution shows its images too.
//  4. Where at most 64 rows are open, backtracking on words shows or refutes the
//     remaining cells one by one, within a limit.
//  5. Local search tries for a solution through each cell that is left.
//  6. gini settles the rest on the residual board, with the clause "one of the
//     unseen cells holds a queen"; on boards of up to 32 backtracking does, without a
//     limit.
//
// The work is what each part did in its own units, 0 for a part that was not needed:
// solutions recalled; steps of local search; queens placed by backtracking; gini's
// queries, models and conflicts.
func (o *Oracle) Valid(ctx context.Context, assume []cnf.Lit, method string) (backends.Valid, error) {
	if _, err := backends.Method(Methods(), "portfolio", method); err != nil {
		return backends.Valid{}, err
	}
	if err := o.problem.CheckAssumptions(assume); err != nil {
		return backends.Valid{}, err
	}
	q := o.question(assume)
	q.symmetries = board.Keeping(o.problem.N, o.problem.Values(assume))
	if err := q.settle(ctx); err != nil {
		return backends.Valid{}, fmt.Errorf("finding the valid cells of %s: %w", o.problem, err)
	}
	q.keep()
	return q.valid(), nil
}

// keptSolutions is how many solutions an Oracle keeps: enough for the last clicks of
// a session, and few enough to check for every question.
const keptSolutions = 32

// keep makes the Oracle remember the current solution.
func (q *question) keep() {
	o := q.oracle
	if q.solution == nil || slices.ContainsFunc(o.kept,
		func(cols []int32) bool { return slices.Equal(cols, q.solution) }) {
		return
	}
	if len(o.kept) == keptSolutions {
		o.kept = slices.Delete(o.kept, 0, 1)
	}
	o.kept = append(o.kept, q.solution)
}
