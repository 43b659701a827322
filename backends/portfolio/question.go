package portfolio

import (
	"context"
	"iter"
	"math/bits"
	"slices"

	"queens/backends"
	"queens/backends/localsearch"
	"queens/backends/search"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

// question is one question about valid cells, on its residual board. The parts settle its cells in
// turn: a solution shows a free cell, or a part refutes it; the others are still open.
type question struct {
	oracle     *Oracle
	assume     []cnf.Lit
	board      *board.Position  // its free cells are those not refuted
	symmetries []board.Symmetry // of the question, except the identity
	local      *localsearch.Walk
	rows       *search.Rows // nil until needed

	within   int64    // steps after which to give up; 0: never
	one      bool     // one solution suffices: no cell has to be shown
	unseen   []uint64 // cells neither shown nor refuted, as in board.Free
	solution []int32  // one solution: each row's column
	refuted  bool     // there is no solution

	searched int64 // queens placed by search
}

func (o *Oracle) question(assume []cnf.Lit) *question {
	q := &question{oracle: o, assume: assume, board: o.problem.Position(assume)}
	q.local = localsearch.NewWalk(q.board, 1)
	q.unseen = slices.Clone(q.board.Free)
	q.refuted = q.board.Dead
	return q
}

// settle runs the parts in turn until no cell is open.
func (q *question) settle(ctx context.Context) error {
	if q.propagate(); q.one {
		clear(q.unseen)
	}
	for _, part := range []func(context.Context) error{q.explore, q.backtrack, q.refine, q.finish} {
		if q.done() {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := part(ctx); err != nil {
			return err
		}
	}
	return nil
}

// propagate removes the cells that unit reasoning refutes.
func (q *question) propagate() {
	q.board.Propagate()
	q.refuted = q.board.Dead
	for i, free := range q.board.Free {
		q.unseen[i] &= free
	}
}

// done reports whether no cell is open.
func (q *question) done() bool {
	return q.refuted || q.solution != nil && !slices.ContainsFunc(q.unseen, func(w uint64) bool { return w != 0 })
}

// open iterates over the unseen cells. A cell shown meanwhile is left out.
func (q *question) open() iter.Seq[board.Cell] {
	return func(yield func(board.Cell) bool) {
		for i := range q.unseen {
			for later := ^uint64(0); q.unseen[i]&later != 0; {
				bit := bits.TrailingZeros64(q.unseen[i] & later)
				later = ^uint64(0) << bit << 1
				if !yield(board.Cell{Row: i / q.board.Words, Col: i%q.board.Words*64 + bit}) {
					return
				}
			}
		}
	}
}

// show marks the cells of a solution, and their images, as seen. It copies cols.
func (q *question) show(cols []int32) {
	q.solution = slices.Clone(cols)
	for row, col := range cols {
		q.see(row, int(col))
		for _, s := range q.symmetries {
			q.see(s.Of(q.board.N, row, int(col)))
		}
	}
}

// showModel shows a solution given as a model.
func (q *question) showModel(model []cnf.Lit) {
	cols := make([]int32, q.board.N)
	for i, l := range model {
		if l.Positive() {
			cols[i/q.board.N] = int32(i % q.board.N)
		}
	}
	q.show(cols)
}

func (q *question) see(row, col int) {
	q.unseen[row*q.board.Words+col/64] &^= 1 << (col % 64)
}

// refute removes a cell that is in no solution.
func (q *question) refute(c board.Cell) {
	q.see(c.Row, c.Col)
	q.board.Block(c)
	if q.rows != nil {
		q.rows.Block(c)
	}
}

// explore shows what local search finds.
func (q *question) explore(ctx context.Context) error {
	repairs := q.manyRepairs()
	if q.one { // boards with plenty of room are completed in about as many steps as there are open rows
		repairs = 50 + 4*q.board.Open()
	}
	if q.local.Complete(ctx, repairs) {
		q.show(q.local.Solution())
		q.walk(ctx)
	}
	return nil
}

// manyRepairs is the number of repairs after which local search gives up.
func (q *question) manyRepairs() int { return 20*q.board.N + 1000 }

// walk shows the solutions that local search meets on a walk from the current one.
func (q *question) walk(ctx context.Context) {
	if !q.done() {
		q.local.Show(ctx, q.solution, q.unseen, q.symmetries)
		q.solution = slices.Clone(q.local.Solution())
	}
}

// nodeLimit bounds the backtracking for one cell. Nearly all cells need less than a
// tenth of it. The rest are the heavy tail of backtracking on boards with many free
// cells, where other methods are better.
const nodeLimit = 5000

// backtrack settles unseen cells by exhaustive search within limits if few rows are open.
func (q *question) backtrack(ctx context.Context) error {
	if q.board.Open() > search.MaxRows {
		return nil
	}
	first := int64(10 * nodeLimit)
	if q.within > 0 {
		first = q.within
	} else if q.oracle.exact != nil { // on a board of this size no other part is faster
		first = 0
	} else if q.one {
		first = 4 * nodeLimit
	}
	return q.exhaust(ctx, first, nodeLimit)
}

// exhaust looks exhaustively for a first solution, and then for one through each unseen cell, each within a limit.
func (q *question) exhaust(ctx context.Context, first, each int64) error {
	if q.solution == nil {
		status, err := q.find(ctx, first)
		q.refuted = status == backends.Unsat
		if err != nil || status != backends.Sat {
			return err
		}
		q.walk(ctx)
	}
	for c := range q.open() {
		status, err := q.find(ctx, each, c)
		if err != nil {
			return err
		}
		if status == backends.Unsat {
			q.refute(c)
		}
	}
	return nil
}

// find searches exhaustively for a solution with queens on the cells, and shows it. It returns Unknown
// at the limit; 0 means no limit.
func (q *question) find(ctx context.Context, limit int64, cells ...board.Cell) (status backends.Status, err error) {
	exact := q.oracle.exact
	if q.board.Open() > search.MaxRows {
		exact = q.oracle.large()
	} else if limit > 0 && q.within == 0 {
		exact = nil
	}
	if exact != nil {
		assume := append(slices.Clip(q.assume), encode.Literals(q.board.N, cells, true)...)
		answer, steps, err := exact.SolveWithin(ctx, assume, uint64(limit))
		if answer.Status == backends.Sat {
			q.showModel(answer.Model)
		}
		q.searched += int64(steps)
		return answer.Status, err
	}
	if q.rows == nil {
		q.rows = search.NewRows(q.board)
	}
	before := q.rows.Placed
	status, err = q.rows.Find(ctx, limit, cells...)
	if status == backends.Sat {
		cols := slices.Clone(q.board.Cols)
		q.rows.Solution(cols)
		q.show(cols)
	}
	q.searched += q.rows.Placed - before
	return status, err
}

// refine lets local search look for a solution through each unseen cell, once one solution is known.
func (q *question) refine(ctx context.Context) error {
	if q.solution == nil {
		return nil
	}
	for c := range q.open() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if q.local.Complete(ctx, q.manyRepairs(), c) {
			q.show(q.local.Solution())
			q.walk(ctx)
		}
	}
	return nil
}

// finish settles the remaining cells by exhaustive search without a limit.
func (q *question) finish(ctx context.Context) error {
	if q.within > 0 {
		return nil
	}
	return q.exhaust(ctx, 0, 0)
}

// valid returns the answer.
func (q *question) valid() backends.Valid {
	answer := backends.Valid{Satisfiable: q.solution != nil, Forced: []cnf.Var{},
		Work: work(q.local.Steps(), q.searched)}
	if q.solution == nil {
		return answer
	}
	most := q.board.N // one for each queen
	for _, word := range q.board.Free {
		most += bits.OnesCount64(word)
	}
	answer.Possible = make([]cnf.Var, 0, most)
	for row, fixed := range q.board.Cols {
		first, at := len(answer.Possible), row*q.board.N+1
		if fixed >= 0 {
			answer.Possible = append(answer.Possible, cnf.Var(at+int(fixed)))
		}
		for w, word := range q.board.Row(row) { // of an open row
			for ; word != 0; word &= word - 1 {
				answer.Possible = append(answer.Possible, cnf.Var(at+w*64+bits.TrailingZeros64(word)))
			}
		}
		if len(answer.Possible) == first+1 {
			answer.Forced = append(answer.Forced, answer.Possible[first])
		}
	}
	return answer
}
