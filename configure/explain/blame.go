package explain

import (
	"context"
	"slices"

	"queens/backends"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

// blamer looks for placed queens that rule the cell out.
type blamer struct {
	question CellQuestion
	culprits
}

func newBlamer(solver backends.Backend, q CellQuestion) *blamer {
	b := &blamer{q, culprits{
		solver: solver,
		always: append(encode.Literals(q.N, q.Blocked, false), encode.CellVar(q.N, q.Cell).Pos()),
		all:    encode.Literals(q.N, q.Placed, true),
	}}
	b.culprits.refine = b.refine
	return b
}

// blame returns a minimal set of placed queens that, with the blocked cells,
// rules the cell out, and whether it is proved that no smaller set does.
func (b *blamer) blame(ctx context.Context, e Explanation) ([]board.Cell, bool, error) {
	model, _, err := b.ask(ctx, nil)
	if err != nil || model == nil {
		return nil, true, err // the cell is in no solution, whatever is placed
	}
	b.note(model)
	if len(e.AttackedBy) > 0 {
		return e.AttackedBy[:1:1], true, nil
	}
	core := b.question.Placed
	if e.Conflict != nil {
		core = e.Conflict
	}
	if e.Steps != nil {
		core = usedBy(e.Steps, core) // the steps use no other queens
	}
	found, smallest, err := b.find(ctx, encode.Literals(b.question.N, core, true), b.question.Smallest)
	return cellsOf(b.question.N, found), smallest, err
}

// refine returns the queens of the core that the ladder uses to rule the cell out, or all of them
// where the ladder fails. A solver's core may hold queens that it merely looked at; the ladder's
// reasons are short.
func (b *blamer) refine(core []cnf.Lit) []cnf.Lit {
	queens := cellsOf(b.question.N, core)
	if _, steps := b.refute(queens); steps != nil {
		return encode.Literals(b.question.N, usedBy(steps, queens), true)
	}
	return core
}

// cellsOf returns the cells of the literals that are positive.
func cellsOf(n int, lits []cnf.Lit) []board.Cell {
	var cells []board.Cell
	for _, l := range lits {
		if l.Positive() {
			cells = append(cells, encode.VarCell(n, l.Var()))
		}
	}
	return cells
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

// usedBy returns those queens that the steps use.
func usedBy(steps []Step, queens []board.Cell) []board.Cell {
	return slices.DeleteFunc(slices.Clone(queens), func(c board.Cell) bool {
		return !slices.ContainsFunc(steps, func(s Step) bool { return slices.Contains(s.Because, c) })
	})
}
