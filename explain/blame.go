package explain

import (
	"context"
	"slices"

	"queens/board"
)

// blamer looks for placed queens that rule the cell out.
type blamer struct {
	question Question
	asked    question // whether some of the placed queens leave a solution
}

// blame returns a minimal set of placed queens that, with the blocked cells,
// rules the cell out, and whether it is proved that no smaller set does.
func (b *blamer) blame(ctx context.Context, e Explanation) ([]board.Cell, bool, error) {
	queens := &culprits{size: len(b.question.Placed), ask: b.ask}
	if _, possible, err := queens.test(ctx, nil); err != nil || !possible {
		return nil, true, err // the cell is in no solution, whatever is placed
	}
	if len(e.AttackedBy) > 0 {
		return e.AttackedBy[:1:1], true, nil
	}
	core := b.question.Placed
	if e.Conflict != nil {
		core = e.Conflict
	}
	if used := b.placedIn(e.Steps); e.Steps != nil {
		core = used // the steps use no other queens
	}
	found, smallest, err := queens.find(ctx, b.indices(core), b.question.Smallest)
	return b.cells(found), smallest, err
}

// ask implements [culprits.ask].
func (b *blamer) ask(ctx context.Context, queens []int) (core []int, holds func(int) bool, err error) {
	core, holds, err = b.asked.ask(ctx, queens)
	if holds == nil {
		core = b.indices(b.refine(b.cells(core)))
	}
	return core, holds, err
}

// cells returns the placed queens with the given indices, and indices is the inverse.
func (b *blamer) cells(indices []int) []board.Cell {
	var cells []board.Cell
	for _, i := range indices {
		cells = append(cells, b.question.Placed[i])
	}
	return cells
}

func (b *blamer) indices(cells []board.Cell) []int {
	var indices []int
	for _, c := range cells {
		indices = append(indices, slices.Index(b.question.Placed, c))
	}
	return indices
}

// refine returns the queens of the set that the ladder uses to rule the cell out,
// or the whole set where the ladder fails. A solver's core may hold queens that it
// merely looked at; the ladder's reasons are short.
func (b *blamer) refine(queens []board.Cell) []board.Cell {
	if _, steps := b.refute(queens); steps != nil {
		used := b.placedIn(steps)
		return slices.DeleteFunc(slices.Clone(queens), func(c board.Cell) bool { return !slices.Contains(used, c) })
	}
	return queens
}

// refute is [refute] with the queens and one on the cell.
func (b *blamer) refute(queens []board.Cell) (Verdict, []Step) {
	q := b.question
	return refute(board.NewPosition(q.N, append(slices.Clone(queens), q.Cell), q.Blocked))
}

// possible reports whether no placed queen stands on the steps' lines or attacks their
// cells: if one did, the steps would be strange to read on the board as it is.
func (b *blamer) possible(steps []Step) bool {
	return !slices.ContainsFunc(steps, func(s Step) bool {
		return slices.ContainsFunc(b.question.Placed, func(q board.Cell) bool {
			return slices.Contains(s.Line.Cells(b.question.N), q) || s.Kind != Emptied && q.Attacks(s.Cell)
		})
	})
}

// placedIn returns the placed queens that the steps use, in the order they were
// placed.
func (b *blamer) placedIn(steps []Step) []board.Cell {
	used := make(map[board.Cell]bool)
	for _, step := range steps {
		for _, c := range step.Because {
			used[c] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(b.question.Placed), func(c board.Cell) bool { return !used[c] })
}
