package search

import (
	"context"

	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

// wide is the walk for boards larger than 32. It is the general walk, but with at most 64 open rows it uses
// Rows to visit all solutions, six to nine times as fast (n = 40, 16 to 20 rows open), and tries Rows first
// to find a solution through a cell.
type wide struct {
	*general
	assume []cnf.Lit
	rows   *Rows   // under the assumptions; nil until needed, or if too many rows are open
	cols   []int32 // buffer for a solution: the column of each row's queen
	part   partial
	placed uint64 // queens placed by earlier Rows
}

func newWide(p encode.Problem) *wide {
	return &wide{general: newGeneral(p), part: partial{held: make([]cnf.Var, p.N)}}
}

func (w *wide) start(assume []cnf.Lit) bool {
	if w.rows != nil {
		w.placed += uint64(w.rows.Placed)
	}
	w.assume, w.rows = assume, nil
	return w.general.start(assume)
}

func (w *wide) cost() (spent, ahead uint64) {
	spent, ahead = w.general.cost()
	spent += w.placed
	if w.rows != nil {
		spent, ahead = spent+uint64(w.rows.Placed), uint64(len(w.rows.rows))
	}
	return spent, ahead
}

// makeRows sets rows if at most [MaxRows] rows are open.
func (w *wide) makeRows() {
	if p := w.problem.Position(w.assume); p.Open() <= MaxRows {
		w.rows, w.cols = NewRows(p), p.Cols
	}
}

func (w *wide) open(missing *literals, positive bool) (split []cnf.Lit) {
	if w.makeRows(); w.rows != nil {
		w.rows.prefer()
	}
	return w.general.open(missing, positive)
}

func (w *wide) refute(l cnf.Lit) bool {
	if w.rows != nil {
		w.rows.Block(encode.VarCell(w.problem.N, l.Var()))
	}
	return w.general.refute(l)
}

// throughCell is the number of queens that Rows may place to find a solution through a cell. Nearly all
// searches need less than a tenth of it; for the others the general walk's restarts are better.
const throughCell = 5000

func (w *wide) walk(
	ctx context.Context, through cnf.Lit, limit uint64, want wanted, found func(*partial) bool,
) error {
	if want != one && w.rows == nil {
		w.makeRows()
	}
	if w.rows == nil {
		return w.general.walk(ctx, through, limit, want, found)
	}
	generally := func() error {
		return w.general.walk(ctx, through, limit, want, func(s *partial) bool {
			for _, v := range s.held {
				w.rows.seen(encode.VarCell(w.problem.N, v))
			}
			return found(s)
		})
	}
	if want == one && through == 0 {
		return generally()
	}
	var cells []board.Cell
	if through != 0 {
		cells = append(cells, encode.VarCell(w.problem.N, through.Var()))
	}
	most := int64(0)
	switch spent, _ := w.cost(); {
	case want == one:
		most = w.rows.Placed + throughCell
	case limit != 0 && spent >= limit:
		return errLimit
	case limit != 0:
		most = w.rows.Placed + int64(limit-spent)
	}
	err := w.rows.each(ctx, most, func() bool {
		w.rows.Solution(w.cols)
		for row, col := range w.cols {
			w.part.held[row] = cnf.Var(row*w.problem.N + int(col) + 1)
		}
		return found(&w.part)
	}, cells...)
	if err == errLimit && want == one {
		return generally()
	}
	return err
}
