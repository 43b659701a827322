package search

import (
	"context"
	"math/bits"
	"slices"

	"queens/backends"
	"queens/board"
)

// Rows searches a board of any size with at most 64 open rows. It renumbers the open rows and columns, so
// the free cells of a row fit into one word, and a step costs one word operation for each open row. Where
// few rows are open, it searches whole subtrees in the time that a solver takes to build a formula.
//
// Like [board.Masks.Force] it places the next queen on a line with one free cell, or else on the row with
// the fewest free cells. On whole boards of up to 32 the narrow walk takes three quarters of its time; Rows
// is for many short questions about one board, and for boards too large for that walk.
type Rows struct {
	Placed int64 // queens placed by all searches

	n    int
	rows []int32  // board row of each open row
	cols []int32  // board column of each open column
	bit  []uint64 // by board column + n: the open column's bit, 0 for others and off the board
	free []uint64 // by open row

	first  []uint64   // by open row: cells to try first; a cell leaves when a solution contains it
	levels [][]uint64 // by depth: the free cells of each open row
	queens []int32    // by open row: the board column
	limit  int64      // Placed at which a search gives up; 0 for never
	ctx    context.Context
	found  func() bool
	err    error
}

// MaxRows is the largest number of open rows: the bits of a word.
const MaxRows = 64

// NewRows returns a search of a position with at most [MaxRows] open rows.
func NewRows(p *board.Position) *Rows {
	r := &Rows{n: p.N, bit: make([]uint64, 3*p.N)}
	used := make([]bool, p.N)
	for row, col := range p.Cols {
		if col >= 0 {
			used[col] = true
		} else {
			r.rows = append(r.rows, int32(row))
		}
	}
	for col, closed := range used {
		if !closed {
			r.bit[col+p.N] = 1 << len(r.cols)
			r.cols = append(r.cols, int32(col))
		}
	}
	r.free, r.first = make([]uint64, len(r.rows)), make([]uint64, len(r.rows))
	for i, row := range r.rows {
		for w, word := range p.Row(int(row)) {
			for ; word != 0; word &= word - 1 {
				r.free[i] |= r.bit[w*64+bits.TrailingZeros64(word)+p.N]
			}
		}
	}
	r.levels = make([][]uint64, len(r.rows)+1)
	for i := range r.levels {
		r.levels[i] = make([]uint64, len(r.rows))
	}
	r.queens = make([]int32, len(r.rows))
	return r
}

// Find looks for a solution with queens on the cells through, which must be free, in different rows and not
// attack each other. It places at most limit queens, and returns Unknown if they do not suffice; 0 means no limit.
// The error is the context's.
func (r *Rows) Find(ctx context.Context, limit int64, through ...board.Cell) (backends.Status, error) {
	status := backends.Unsat
	if limit > 0 {
		limit += r.Placed
	}
	switch err := r.each(ctx, limit, func() bool { status = backends.Sat; return false }, through...); err {
	case nil:
		return status, nil
	case errLimit:
		return backends.Unknown, nil
	default:
		return backends.Unknown, err
	}
}

// Solution writes the solution found into the columns of the open rows.
func (r *Rows) Solution(cols []int32) {
	for i, row := range r.rows {
		cols[row] = r.queens[i]
	}
}

// Block takes a cell off the board.
func (r *Rows) Block(c board.Cell) {
	if i := r.openRow(c); i >= 0 {
		r.free[i] &^= r.bit[c.Col+r.n]
	}
}

// prefer makes searches first try cells that no solution has contained since this call.
func (r *Rows) prefer() { copy(r.first, r.free) }

// seen records that a solution contains a cell.
func (r *Rows) seen(c board.Cell) {
	if i := r.openRow(c); i >= 0 {
		r.first[i] &^= r.bit[c.Col+r.n]
	}
}

// openRow returns the index of a cell's row among the open rows, -1 if the row is not open.
func (r *Rows) openRow(c board.Cell) int { return slices.Index(r.rows, int32(c.Row)) }

// each calls found for each solution through the cells, until found returns false. A limit other than 0 is
// the value of Placed at which it gives up with errLimit.
func (r *Rows) each(ctx context.Context, limit int64, found func() bool, through ...board.Cell) error {
	r.ctx, r.limit, r.found, r.err = ctx, limit, found, nil
	copy(r.levels[0], r.free)
	open := uint64(1)<<len(r.rows) - 1
	for depth, c := range through {
		i := r.openRow(c)
		r.place(depth, open, i, r.bit[c.Col+r.n])
		open &^= 1 << i
	}
	r.below(len(through), open)
	return r.err
}

// place places a queen on the cell bit of open row i, and fills the level below depth. open has a bit for
// each row without a queen.
func (r *Rows) place(depth int, open uint64, i int, bit uint64) {
	r.Placed++
	col := r.cols[bits.TrailingZeros64(bit)]
	r.queens[i] = col
	row, at := r.rows[i], int(col)+r.n
	from, to := r.levels[depth], r.levels[depth+1]
	for rest := open &^ (1 << i); rest != 0; rest &= rest - 1 {
		k := bits.TrailingZeros64(rest)
		d := int(r.rows[k] - row)
		to[k] = from[k] &^ (bit | r.bit[at-d] | r.bit[at+d])
	}
}

// below visits the solutions below a level, and reports whether to continue.
func (r *Rows) below(depth int, open uint64) bool {
	if open == 0 {
		for i, col := range r.queens {
			r.first[i] &^= r.bit[int(col)+r.n]
		}
		return r.found()
	}
	if r.limit > 0 && r.Placed >= r.limit {
		r.err = errLimit
	} else if r.Placed&1023 == 0 {
		r.err = r.ctx.Err()
	}
	if r.err != nil {
		return false
	}
	free, survey := r.levels[depth], board.NewSurvey()
	for rest := open; rest != 0; rest &= rest - 1 {
		k := bits.TrailingZeros64(rest)
		if free[k] == 0 {
			return true
		}
		survey = survey.Add(k, free[k])
	}
	// There are as many open columns as rows: if fewer have a free cell, one has none.
	if bits.OnesCount64(survey.Cols) < bits.OnesCount64(open) {
		return true
	}
	row, cells := survey.Row, survey.Cells
	if single := survey.Single(); single != 0 && cells&(cells-1) != 0 {
		for rest := open; rest != 0; rest &= rest - 1 {
			if k := bits.TrailingZeros64(rest); free[k]&single != 0 {
				row, cells = k, single
				break
			}
		}
	}
	for cells != 0 {
		queen := cells & r.first[row]
		if queen == 0 {
			queen = cells
		}
		queen &= -queen
		cells &^= queen
		r.place(depth, open, row, queen)
		if !r.below(depth+1, open&^(1<<row)) {
			return false
		}
	}
	return true
}
