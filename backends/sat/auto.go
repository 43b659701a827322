package sat

import (
	"context"
	"math/bits"
	"slices"

	"queens/backends"
	"queens/backends/local"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

// auto asks the solver last. In this order, each step for what the ones before
// have left open:
//
//  1. Unit reasoning and a look-ahead on the board strike out cells that cannot
//     hold a queen. Attacked cells never get further.
//  2. Solutions kept from earlier questions show their cells, if they answer this
//     question too.
//  3. Local search finds a solution and walks from it to others, aiming at cells
//     that none has shown. A symmetry of the question is one of the answer, so
//     that a solution shows its images too.
//  4. Where at most 64 rows are open, backtracking on words shows or refutes the
//     remaining cells one by one, within a limit; elsewhere local search tries
//     harder.
//  5. gini settles the rest on the residual board, with the clause "one of the
//     unseen cells holds a queen": a model shows at least one of them, and UNSAT
//     refutes all at once.
//
// Its work is the solutions "kept" (step 2) and "walked" (step 3), the queens
// placed by backtracking, "nodes", and gini's.
func auto(ctx context.Context, o *Oracle, assume []cnf.Lit) (backends.ValidCells, error) {
	q := &autoQuery{oracle: o, assume: assume, board: o.problem.Residual(assume)}
	q.board.LookAhead()
	if !q.board.Dead {
		q.unseen = slices.Clone(q.board.Free)
		q.recall()
		q.walkAll()
		for _, step := range []func(context.Context) error{q.backtrack, q.refine, q.ask} {
			if err := ctx.Err(); err != nil {
				return backends.ValidCells{}, err
			}
			if q.done() {
				break
			}
			if err := step(ctx); err != nil {
				return backends.ValidCells{}, err
			}
		}
		q.keep()
	}
	return q.cells(), nil
}

// autoQuery is one valid-cell question on its way through the steps of auto.
type autoQuery struct {
	oracle   *Oracle
	assume   []cnf.Lit
	board    *encode.Residual // refuted cells are taken out of its free ones
	unseen   []uint64         // as board.Free: cells neither shown nor refuted
	solution []int32          // one that answers the question: each row's column
	refuted  bool             // there is no solution

	kept, walked, nodes int64
	solver              *solver
}

// done reports whether nothing is left to settle.
func (q *autoQuery) done() bool {
	return q.refuted || q.solution != nil && !slices.ContainsFunc(q.unseen, func(w uint64) bool { return w != 0 })
}

// isUnseen reports whether a cell is neither shown nor refuted.
func (q *autoQuery) isUnseen(c board.Cell) bool {
	return q.unseen[c.Row*q.board.Words+c.Col/64]>>(c.Col%64)&1 != 0
}

// open lists the unseen cells.
func (q *autoQuery) open() []board.Cell {
	var cells []board.Cell
	for i, word := range q.unseen {
		for ; word != 0; word &= word - 1 {
			cells = append(cells, board.Cell{Row: i / q.board.Words, Col: i%q.board.Words*64 + bits.TrailingZeros64(word)})
		}
	}
	return cells
}

// show takes the cells of a solution out of the unseen ones. cols is kept.
func (q *autoQuery) show(cols []int32) {
	q.solution = cols
	for row, col := range cols {
		q.unseen[row*q.board.Words+int(col)/64] &^= 1 << (col % 64)
	}
}

// refute takes a cell that is in no solution off the board.
func (q *autoQuery) refute(c board.Cell) {
	word, bit := c.Row*q.board.Words+c.Col/64, uint64(1)<<(c.Col%64)
	q.unseen[word] &^= bit
	q.board.Free[word] &^= bit
}

// recall shows what kept solutions show.
func (q *autoQuery) recall() {
	for _, cols := range q.oracle.kept {
		if q.solvedBy(cols) {
			q.kept++
			q.show(cols)
		}
	}
}

// solvedBy reports whether a solution of the empty board answers this question.
func (q *autoQuery) solvedBy(cols []int32) bool {
	for row, col := range cols {
		if fixed := q.board.Cols[row]; fixed != col && (fixed >= 0 || !q.board.IsFree(board.Cell{Row: row, Col: int(col)})) {
			return false
		}
	}
	return true
}

// keptSolutions is how many solutions an Oracle keeps: the last clicks of a
// session, and few enough to look through for every question.
const keptSolutions = 32

// keep has the Oracle remember the solution at hand.
func (q *autoQuery) keep() {
	if q.solution == nil || slices.ContainsFunc(q.oracle.kept, func(cols []int32) bool { return slices.Equal(cols, q.solution) }) {
		return
	}
	if len(q.oracle.kept) == keptSolutions {
		q.oracle.kept = slices.Delete(q.oracle.kept, 0, 1)
	}
	q.oracle.kept = append(q.oracle.kept, q.solution)
}

// walkAll shows what local search finds from a kept solution or one of its own.
func (q *autoQuery) walkAll() {
	if q.solution == nil {
		if cols, ok := q.completer().Complete(nil, nil); ok {
			q.walked++
			q.show(slices.Clone(cols))
		}
	}
	if q.solution != nil && !q.done() {
		q.walk(q.oracle.symmetries(q.assume))
	}
}

// completer returns a local search for solutions of this question.
func (q *autoQuery) completer() *local.Completer {
	placed, blocked := q.oracle.fixed(q.assume)
	c, err := local.NewCompleter(q.board.N, placed, blocked, 1)
	if err != nil {
		panic(err) // fixed gives each cell once, and all of them on the board
	}
	return c
}

// walk shows what a walk from the solution at hand comes by.
func (q *autoQuery) walk(symmetries []local.Symmetry) {
	fixed := q.board.Cols
	open := slices.Clone(q.solution)
	for row, col := range fixed {
		if col >= 0 {
			open[row] = -1
		}
	}
	walk := local.NewWalk(q.board.N, q.board.Free, open)
	walk.Show(q.unseen, symmetries)
	q.walked += walk.Steps()
	cols := slices.Clone(fixed)
	for row, col := range walk.Columns() {
		if col >= 0 {
			cols[row] = col
		}
	}
	q.solution = cols
}

// nodeLimit bounds the backtracking for one cell. Nearly all cells need less than
// a tenth; the rest are the heavy tail of a search on a board with much room,
// where other ways are better.
const nodeLimit = 5000

// backtrack settles unseen cells by exhaustive search, where few rows are open.
func (q *autoQuery) backtrack(ctx context.Context) error {
	if q.board.Open() > maxExhaust {
		return nil
	}
	e := newExhaust(q.board)
	defer func() { q.nodes += e.nodes }()
	show := func() {
		cols := slices.Clone(q.board.Cols)
		e.solution(cols)
		q.show(cols)
	}
	if q.solution == nil {
		status, err := e.any(ctx, 10*nodeLimit)
		if err != nil || status == backends.Unknown {
			return err
		}
		if status == backends.Unsat {
			q.refuted = true
			return nil
		}
		show()
		q.walk(nil)
	}
	for _, c := range q.open() {
		if !q.isUnseen(c) {
			continue
		}
		status, err := e.through(ctx, c, nodeLimit)
		if err != nil {
			return err
		}
		switch status {
		case backends.Sat:
			show()
		case backends.Unsat:
			q.refute(c)
			e.refute(c)
		}
	}
	return nil
}

// refine has local search look for a solution through each unseen cell, where
// there is a solution at all.
func (q *autoQuery) refine(ctx context.Context) error {
	if q.solution == nil {
		return nil
	}
	completer := q.completer()
	for _, c := range q.open() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !q.isUnseen(c) {
			continue
		}
		if cols, ok := completer.Complete([]board.Cell{c}, q.wishes()); ok {
			q.walked++
			q.show(slices.Clone(cols))
			q.walk(nil)
		}
	}
	return nil
}

// wishes lists the unseen cells as local.Completer takes them: by row-major index.
func (q *autoQuery) wishes() []uint64 {
	n := q.board.N
	wishes := make([]uint64, (n*n+63)/64)
	for _, c := range q.open() {
		wishes[c.Index(n)/64] |= 1 << (c.Index(n) % 64)
	}
	return wishes
}

// ask has gini show or refute the rest.
func (q *autoQuery) ask(ctx context.Context) error {
	f, cells := q.board.CNF(q.oracle.residualAMO(q.board))
	q.solver = newSolver(f)
	for !q.done() {
		if q.solution != nil { // the first model shows cells whatever it is
			// Each clause implies the one before: the unseen cells grow fewer.
			var some []cnf.Lit
			for i, c := range cells {
				if q.isUnseen(c) {
					some = append(some, cnf.Lit(i+1))
				}
			}
			q.solver.add(some...)
		}
		status, _, err := q.solver.solve(ctx, nil)
		if err != nil {
			return err
		}
		if status == backends.Unsat {
			q.refuted = q.solution == nil
			for _, c := range q.open() {
				q.refute(c)
			}
			return nil
		}
		cols := slices.Clone(q.board.Cols)
		for i, c := range cells {
			if q.solver.value(cnf.Var(i + 1)) {
				cols[c.Row] = int32(c.Col)
			}
		}
		q.show(cols)
		q.walk(nil)
	}
	return nil
}

// cells returns the answer.
func (q *autoQuery) cells() backends.ValidCells {
	var cells backends.ValidCells
	cells.Work = backends.Work{
		{Name: "kept", N: q.kept}, {Name: "walked", N: q.walked}, {Name: "nodes", N: q.nodes},
	}
	if q.solver != nil {
		cells.Work = append(cells.Work, q.solver.work()...)
	} else {
		cells.Work = append(cells.Work, noWork()...)
	}
	if q.solution == nil {
		return cells
	}
	n := q.board.N
	for row, fixed := range q.board.Cols {
		if fixed >= 0 {
			cells.Possible = append(cells.Possible, encode.CellVar(n, board.Cell{Row: row, Col: int(fixed)}))
			continue
		}
		for w, word := range q.board.Row(row) {
			for ; word != 0; word &= word - 1 {
				cells.Possible = append(cells.Possible, encode.CellVar(n, board.Cell{Row: row, Col: w*64 + bits.TrailingZeros64(word)}))
			}
		}
	}
	return cells
}

// fixed returns the problem's and the assumptions' queens and empty cells, each
// once.
func (o *Oracle) fixed(assume []cnf.Lit) (placed, blocked []board.Cell) {
	placed, blocked = slices.Clone(o.problem.Placed), slices.Clone(o.problem.Blocked)
	for _, l := range assume {
		list := &blocked
		if l.Positive() {
			list = &placed
		}
		if c := encode.VarCell(o.problem.N, l.Var()); !slices.Contains(*list, c) {
			*list = append(*list, c)
		}
	}
	return placed, blocked
}

// symmetries returns the symmetries of the square, other than the identity, that
// leave the question as it is.
func (o *Oracle) symmetries(assume []cnf.Lit) []local.Symmetry {
	placed, blocked := o.fixed(assume)
	const blockedMark, placedMark = 1, 2
	mark := make(map[board.Cell]int, len(placed)+len(blocked))
	for _, c := range blocked {
		mark[c] = blockedMark
	}
	for _, c := range placed {
		mark[c] |= placedMark
	}
	var found []local.Symmetry
next:
	for s := range local.Symmetry(8) {
		if s == 0 {
			continue
		}
		for c, m := range mark {
			row, col := s.Of(o.problem.N, c.Row, c.Col)
			if mark[board.Cell{Row: row, Col: col}] != m {
				continue next
			}
		}
		found = append(found, s)
	}
	return found
}
