package portfolio

import (
	"context"
	"fmt"
	"slices"
	"time"

	"queens/backends"
	"queens/backends/search"
	"queens/board"
	"queens/encode/cnf"
)

// staged is the only method: each part works on what the parts before it have left
// open.
const staged = "staged"

// Methods implements [backends.ValidFinder].
func (o *Oracle) Methods() []string { return []string{staged} }

// Valid implements [backends.ValidFinder]. In this order:
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
//     unseen cells holds a queen"; on boards of up to 32 in turn with exact search
//     through each cell.
//
// The work is what each part did in its own units, 0 for a part that was not needed:
// solutions recalled; steps of local search; queens placed by backtracking; gini's
// queries, models and conflicts.
func (o *Oracle) Valid(ctx context.Context, assume []cnf.Lit, method string) (backends.Valid, error) {
	if method != "" && method != staged {
		return backends.Valid{}, fmt.Errorf("method %q: back-end portfolio has %s", method, staged)
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

// recall shows the cells of kept solutions that answer this question.
func (q *question) recall(context.Context) error {
	for _, cols := range q.oracle.kept {
		if q.solvedBy(cols) {
			q.work.recalled++
			q.show(cols)
		}
	}
	return nil
}

// solvedBy reports whether a solution of the empty board answers this question.
func (q *question) solvedBy(cols []int32) bool {
	for row, col := range cols {
		if fixed := q.board.Cols[row]; fixed != col &&
			(fixed >= 0 || !q.board.IsFree(board.Cell{Row: row, Col: int(col)})) {
			return false
		}
	}
	return true
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

// explore shows what local search finds, starting from a kept solution or one of its
// own.
func (q *question) explore(ctx context.Context) error {
	if q.solution == nil {
		repairs := q.manyRepairs()
		if q.one { // boards with plenty of room are completed in about as many steps as there are open rows
			repairs = 50 + 4*q.board.Open()
		}
		if !q.local.Complete(ctx, repairs) {
			return nil
		}
		q.show(slices.Clone(q.local.Solution()))
	}
	q.walk(ctx)
	return nil
}

// manyRepairs is how many repairs of a board local search tries before it gives up.
func (q *question) manyRepairs() int { return 20*q.board.N + 1000 }

// walk shows the solutions met on a walk from the current solution.
func (q *question) walk(ctx context.Context) {
	if !q.done() {
		q.local.Show(ctx, q.solution, q.unseen, q.symmetries)
		q.solution = slices.Clone(q.local.Solution())
	}
}

// nodeLimit bounds the backtracking for one cell. Nearly all cells need less than a
// tenth of it; the rest are the heavy tail of a search on a board with plenty of
// room, where other methods are better.
const nodeLimit = 5000

// backtrack settles unseen cells by exhaustive search if few rows are open.
func (q *question) backtrack(ctx context.Context) error {
	if q.board.Open() > search.MaxRows {
		return nil
	}
	rows := search.NewRows(q.board)
	defer func() { q.work.nodes += rows.Placed }()
	show := func() {
		cols := slices.Clone(q.board.Cols)
		rows.Solution(cols)
		q.show(cols)
	}
	if q.solution == nil {
		limit := int64(10 * nodeLimit)
		if q.one {
			limit = 4 * nodeLimit
		}
		status, err := backends.Unknown, error(nil)
		if q.oracle.exact != nil { // no solver settles a board of that size sooner
			status, err = q.search(ctx, 0)
		} else if status, err = rows.Find(ctx, limit); status == backends.Sat {
			show()
		}
		q.refuted = status == backends.Unsat
		if err != nil || status != backends.Sat {
			return err
		}
		q.walk(ctx)
	}
	for c := range q.open() {
		status, err := rows.Find(ctx, nodeLimit, c)
		if err != nil {
			return err
		}
		switch status {
		case backends.Sat:
			show()
		case backends.Unsat:
			q.refute(c)
			rows.Block(c)
		}
	}
	return nil
}

// refine lets local search look for a solution through each unseen cell, if there is
// a solution at all.
func (q *question) refine(ctx context.Context) error {
	if q.solution == nil {
		return nil
	}
	for c := range q.open() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if q.local.Complete(ctx, q.manyRepairs(), c) {
			q.show(slices.Clone(q.local.Solution()))
			q.walk(ctx)
		}
	}
	return nil
}

// askLast settles the remaining cells by gini or, where exact search runs on bit masks,
// by the two in turn, with more time at every turn. Nearly all such questions come from
// crowded boards, where search finishes long before gini, so gini gets a quarter of
// search's time; on a board with plenty of room gini may be the first to finish.
func (q *question) askLast(ctx context.Context) error {
	if q.oracle.exact == nil {
		q.build()
		return q.askRest(ctx)
	}
	for limit := uint64(firstTurn); ; limit *= 8 {
		begun := time.Now()
		if err := q.searchRest(ctx, limit); err != nil || q.done() {
			return err
		}
		if q.solver == nil {
			q.build()
		}
		turn, cancel := context.WithTimeout(ctx, time.Since(begun)/4)
		err := q.askRest(turn)
		cancel()
		if ctx.Err() != nil || err == nil {
			return err
		}
	}
}

// firstTurn is how many queens exact search may place for each cell at its first
// turn: a few milliseconds of work.
const firstTurn = 1 << 17

// searchRest looks for a solution through each unseen cell by exact search.
func (q *question) searchRest(ctx context.Context, limit uint64) error {
	for c := range q.open() {
		status, err := q.search(ctx, limit, c)
		if err != nil {
			return err
		}
		switch status {
		case backends.Sat:
			q.walk(ctx)
		case backends.Unsat:
			q.refute(c)
		}
	}
	return nil
}
