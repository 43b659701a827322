package portfolio

import (
	"context"
	"iter"
	"math/bits"
	"slices"

	"queens/backends"
	"queens/backends/local"
	"queens/backends/sat"
	"queens/board"
	"queens/encode"
	"queens/encode/amo"
	"queens/encode/cnf"
)

// question is one valid-cell question on its residual board, for the parts that settle
// cells there in turn: which free cells are shown by some solution, which are refuted,
// and which are still open.
type question struct {
	oracle     *Oracle
	assume     []cnf.Lit
	board      *board.Position  // refuted cells are taken out of its free ones
	symmetries []board.Symmetry // of the question, except the identity
	local      *local.Walk

	one      bool     // any solution will do: no cell has to be shown
	unseen   []uint64 // as board.Free: cells neither shown nor refuted
	solution []int32  // one that answers the question: each row's column
	refuted  bool     // there is no solution

	solver  sat.Solver // of the residual problem, when one was needed
	vars    []cnf.Var  // by variable of the solver - 1: the cell's
	literal []cnf.Lit  // by cell: the solver's

	work counts
}

// counts is the work of the parts, each in its own units.
type counts struct{ recalled, nodes, solves, models int64 }

func (o *Oracle) question(assume []cnf.Lit) *question {
	q := &question{oracle: o, assume: assume, board: o.problem.Position(assume)}
	q.local = local.NewWalk(q.board, 1)
	q.unseen = slices.Clone(q.board.Free)
	q.refuted = q.board.Dead
	return q
}

// settle lets the parts work, each on what those before it have left open.
func (q *question) settle(ctx context.Context) error {
	q.lookAhead()
	if q.one {
		clear(q.unseen)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, part := range []func(context.Context) error{q.recall, q.explore, q.backtrack, q.refine, q.askLast} {
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

// lookAhead takes cells off the board that a short argument refutes.
func (q *question) lookAhead() {
	q.board.LookAhead()
	q.refuted = q.board.Dead
	for i, free := range q.board.Free {
		q.unseen[i] &= free
	}
}

// done reports whether nothing is left to settle.
func (q *question) done() bool {
	return q.refuted || q.solution != nil && !slices.ContainsFunc(q.unseen, func(w uint64) bool { return w != 0 })
}

// open iterates over the cells that are unseen when their turn comes.
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

// show takes the cells of a solution and their images out of the unseen ones.
// cols is kept.
func (q *question) show(cols []int32) {
	q.solution = cols
	for row, col := range cols {
		q.see(row, int(col))
		for _, s := range q.symmetries {
			q.see(s.Of(q.board.N, row, int(col)))
		}
	}
}

func (q *question) see(row, col int) {
	q.unseen[row*q.board.Words+col/64] &^= 1 << (col % 64)
}

// refute takes a cell that is in no solution off the board.
func (q *question) refute(c board.Cell) {
	q.see(c.Row, c.Col)
	q.board.Block(c)
}

// build makes the solver of the board as it is now.
func (q *question) build() {
	if q.lookAhead(); q.refuted {
		return
	}
	n := q.board.N
	lits := make([]cnf.Lit, 0, n*n)
	for i := range n * n {
		switch c, v := board.At(n, i), cnf.Var(i+1); {
		case q.board.Cols[c.Row] == int32(c.Col):
			lits = append(lits, v.Pos())
		case !q.board.IsFree(c):
			lits = append(lits, v.Neg())
		}
	}
	units := encode.NewPropagator(q.oracle.problem)
	units.Assume(lits)
	var f *cnf.Formula
	f, q.vars = units.Residual(amo.Default)
	q.solver, _ = sat.Gini(context.Background(), f) // runs in this process: it cannot fail
	q.literal = make([]cnf.Lit, n*n)
	for i, v := range q.vars {
		q.literal[v-1] = cnf.Lit(i + 1)
	}
}

// ask lets the solver look for a solution, and shows its cells.
func (q *question) ask(ctx context.Context) (backends.Status, error) {
	status, _, err := q.solver.Solve(ctx, nil)
	if err != nil {
		return status, err
	}
	q.work.solves++
	if status != backends.Sat {
		return status, nil
	}
	q.work.models++
	cols := slices.Clone(q.board.Cols)
	for i, v := range q.vars {
		if q.solver.Value(cnf.Var(i + 1)) {
			c := encode.VarCell(q.board.N, v)
			cols[c.Row] = int32(c.Col)
		}
	}
	q.show(cols)
	return status, nil
}

// askRest settles all unseen cells: a clause says that a solution must hold one of
// them, so every model shows some, and UNSAT refutes them all at once. Clauses never
// have to be withdrawn: the set of unseen cells only shrinks, so each clause implies
// the one before.
func (q *question) askRest(ctx context.Context) error {
	for !q.done() {
		if q.solution != nil { // any first model shows cells
			var some []cnf.Lit
			for c := range q.open() {
				some = append(some, q.literal[c.Index(q.board.N)])
			}
			q.solver.Add(some...)
		}
		status, err := q.ask(ctx)
		if err != nil {
			return err
		}
		if status == backends.Unsat {
			q.refuted = q.solution == nil
			for c := range q.open() {
				q.refute(c)
			}
			return nil
		}
		q.walk(ctx)
	}
	return nil
}

// valid returns the answer.
func (q *question) valid() backends.Valid {
	answer := backends.Valid{
		Satisfiable: q.solution != nil, Forced: []cnf.Var{}, Method: staged, Work: q.counted(),
	}
	if q.solution == nil {
		return answer
	}
	n, first := q.board.N, 0
	most := n // one for each queen
	for _, word := range q.board.Free {
		most += bits.OnesCount64(word)
	}
	answer.Possible = make([]cnf.Var, 0, most)
	for row, fixed := range q.board.Cols {
		if fixed >= 0 {
			answer.Possible = append(answer.Possible, cnf.Var(row*n+int(fixed)+1))
		}
		for w, word := range q.board.Row(row) { // of an open row
			for ; word != 0; word &= word - 1 {
				answer.Possible = append(answer.Possible, cnf.Var(row*n+w*64+bits.TrailingZeros64(word)+1))
			}
		}
		if len(answer.Possible) == first+1 {
			answer.Forced = append(answer.Forced, answer.Possible[first])
		}
		first = len(answer.Possible)
	}
	return answer
}

// counted returns the work that every answer reports, in the order of the parts.
func (q *question) counted() backends.Work {
	conflicts := int64(0)
	if counter, counts := q.solver.(sat.ConflictCounter); counts {
		conflicts = counter.Conflicts()
	}
	return backends.Work{
		{Name: "solutions recalled", N: q.work.recalled},
		{Name: "local search steps", N: q.local.Steps()},
		{Name: "search queens", N: q.work.nodes},
		{Name: "gini solves", N: q.work.solves}, {Name: "gini models", N: q.work.models},
		{Name: "gini conflicts", N: conflicts},
	}
}
