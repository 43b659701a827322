package explain

import (
	"context"
	"fmt"
	"slices"
	"time"

	"queens/backends"
	"queens/board"
)

// CellQuestion asks about one cell of a board.
type CellQuestion struct {
	N       int
	Placed  []board.Cell
	Blocked []board.Cell
	Cell    board.Cell
	// Smallest is how long to look for a blame with the fewest queens once a
	// minimal one is found; 0 means not at all. The search ends sooner when a
	// blame is proved smallest.
	Smallest time.Duration
}

// Explain says why the cell can or cannot hold a queen. It fails when the solver fails or
// the context ends.
//
// The solver is for the empty board: it learns of the question's queens and blocked cells as
// assumptions. A small core speeds up the search for the blame, but the core may also be all
// of the assumptions.
func Explain(ctx context.Context, solver backends.Backend, q CellQuestion) (Explanation, error) {
	e := Explanation{Cell: q.Cell}
	fail := func(err error) (Explanation, error) {
		return Explanation{}, fmt.Errorf("explaining %s on a board of size %d: %w", q.Cell, q.N, err)
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
	b := newBlamer(solver, q)
	if e.Conflict = conflict(q); e.Conflict != nil {
		e.Verdict = ByConflict
	} else if len(e.AttackedBy) > 0 {
		e.Verdict = ByAttack
	} else {
		model, _, err := b.ask(ctx, b.all)
		if err != nil {
			return fail(err)
		}
		if model != nil {
			e.Witness = cellsOf(q.N, model)
			if err := board.VerifyCells(q.N, e.Witness); err != nil {
				return fail(fmt.Errorf("the solver's model is not a solution: %w", err))
			}
			e.Verdict = IsValid
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
func conflict(q CellQuestion) []board.Cell {
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
