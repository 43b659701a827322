package explain

import (
	"context"
	"fmt"
	"slices"
	"time"

	"queens/backends"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

// Question asks about one cell of a board.
type Question struct {
	N       int
	Placed  []board.Cell
	Blocked []board.Cell
	Cell    board.Cell
	// Smallest is how long to look for a blame with the fewest queens once a
	// minimal one is found; 0 means not at all. The search ends sooner when a
	// blame is proved smallest.
	Smallest time.Duration
}

// Explain says why the cell can or cannot hold a queen. It fails for a bad
// question (a cell off the board or given twice) and when the solver fails or
// the context ends.
//
// The solver is for the empty board: it learns of the question's queens and blocked cells as
// assumptions. A small core speeds up the search for the blame, but the core may also be all
// of the assumptions.
func Explain(ctx context.Context, solver backends.Finder, q Question) (Explanation, error) {
	e := Explanation{Cell: q.Cell}
	fail := func(err error) (Explanation, error) {
		return Explanation{}, fmt.Errorf("explaining %s on a board of size %d: %w", q.Cell, q.N, err)
	}
	for _, cells := range [][]board.Cell{{q.Cell}, q.Placed, q.Blocked} {
		if err := board.CheckCells(q.N, cells); err != nil {
			return fail(err)
		}
	}
	if slices.Contains(q.Placed, q.Cell) {
		e.Verdict = HasQueen
		return e, nil
	}
	if slices.Contains(q.Blocked, q.Cell) {
		e.Verdict = IsBlocked
		return e, nil
	}
	for _, queen := range q.Placed {
		if queen.Attacks(q.Cell) {
			e.AttackedBy = append(e.AttackedBy, queen)
		}
	}
	b := &blamer{solver: solver, question: q}
	if e.Conflict = conflict(q); e.Conflict != nil {
		e.Verdict = ByConflict
	} else if len(e.AttackedBy) > 0 {
		e.Verdict = ByAttack
	} else {
		_, solution, err := b.ask(ctx, q.Placed)
		if err != nil {
			return fail(err)
		}
		if solution != nil {
			e.Verdict, e.Witness = IsValid, solution
			return e, nil
		}
		e.Verdict, e.Steps = b.refute(q.Placed)
	}
	var err error
	if e.Blame, e.Smallest, err = b.blame(ctx, e); err != nil {
		return fail(err)
	}
	if verdict, steps := b.refute(e.Blame); e.Steps != nil && verdict == e.Verdict && b.possible(steps) {
		e.Steps = steps
	}
	return e, nil
}

// conflict returns a placed queen that stands on a blocked cell, or two placed
// queens that attack each other; nil when there is no such conflict.
func conflict(q Question) []board.Cell {
	for i, a := range q.Placed {
		if slices.Contains(q.Blocked, a) {
			return []board.Cell{a}
		}
		for _, b := range q.Placed[:i] {
			if a.Attacks(b) {
				return []board.Cell{b, a}
			}
		}
	}
	return nil
}

// ask returns a solution with all of the queens, a queen on the cell in question
// and none on the blocked cells. When there is no such solution, it returns a
// subset of the queens that suffices to rule it out.
func (b *blamer) ask(ctx context.Context, queens []board.Cell) (core, solution []board.Cell, err error) {
	q := b.question
	assume := append(encode.Literals(q.N, q.Blocked, false), encode.CellVar(q.N, q.Cell).Pos())
	answer, err := b.solver.Solve(ctx, append(assume, encode.Literals(q.N, queens, true)...))
	if err != nil {
		return nil, nil, err
	}
	switch answer.Status {
	case backends.Unsat:
		inCore := make(map[cnf.Lit]bool, len(answer.Core))
		for _, l := range answer.Core {
			inCore[l] = true
		}
		core = slices.DeleteFunc(slices.Clone(queens), func(c board.Cell) bool {
			return !inCore[encode.CellVar(q.N, c).Pos()]
		})
		return core, nil, nil
	case backends.Unknown:
		return nil, nil, fmt.Errorf("the solver cannot tell whether %d queens can be completed", len(queens)+1)
	}
	for _, l := range answer.Model {
		if l.Positive() {
			solution = append(solution, encode.VarCell(q.N, l.Var()))
		}
	}
	if err := board.VerifyCells(q.N, solution); err != nil {
		return nil, nil, fmt.Errorf("the solver's model is not a solution: %w", err)
	}
	return nil, solution, nil
}
