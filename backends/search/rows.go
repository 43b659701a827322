package search

import (
	"context"
	"math/bits"
	"slices"

	"queens/backends"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

// Rows searches a board of any size with at most 64 open rows. Open rows and columns are
// renumbered, so a row's free cells fit in one word, and a step costs one word operation
// per open row: where few rows are left, whole subtrees are searched in the time a solver
// takes to build a formula.
//
// The next queen goes to a row or column with one free cell, or else to the row with
// the fewest. The narrow walk does the same on whole boards, in three quarters of the time; this
// one is for many short questions about one board, and for boards too large for that walk.
type Rows struct {
	Placed int64 // queens placed by all searches

	n    int
	rows []int32  // board row of each open row
	cols []int32  // board column of each open column
	bit  []uint64 // by board column + n: the open column's bit, 0 for others and off the board
	free []uint64 // by open row

	first  []uint64   // by open row: cells that are tried first
	levels [][]uint64 // by depth: the free cells of each open row
	queens []int32    // by open row: the board column
	limit  int64      // Placed at which a search gives up
	pause  func() error
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

// Find looks for a solution, with queens on free cells of different rows that do not attack
// each other, placing at most limit queens; it returns Unknown if they did not suffice.
// The error is the context's.
func (r *Rows) Find(ctx context.Context, limit int64, through ...board.Cell) (backends.Status, error) {
	status := backends.Unsat
	r.limit, r.pause = r.Placed+limit, ctx.Err
	switch err := r.each(func() bool { status = backends.Sat; return false }, through...); err {
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

// aim says whether a cell is tried before others of its row.
func (r *Rows) aim(c board.Cell, first bool) {
	if i := r.openRow(c); i >= 0 {
		if r.first[i] &^= r.bit[c.Col+r.n]; first {
			r.first[i] |= r.bit[c.Col+r.n]
		}
	}
}

// openRow returns the number of a cell's row among the open ones, -1 if it is not open.
func (r *Rows) openRow(c board.Cell) int { return slices.Index(r.rows, int32(c.Row)) }

// each calls found with each solution until it returns false.
func (r *Rows) each(found func() bool, through ...board.Cell) error {
	r.found, r.err = found, nil
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

// place fills the level below depth, with one more queen placed. The open rows are
// bits.
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
		return r.found()
	}
	if r.limit > 0 && r.Placed >= r.limit {
		r.err = errLimit
	} else if r.Placed&1023 == 0 {
		r.err = r.pause()
	}
	if r.err != nil {
		return false
	}
	free := r.levels[depth]
	var once, twice uint64
	fewest, row := 65, 0
	for rest := open; rest != 0; rest &= rest - 1 {
		k := bits.TrailingZeros64(rest)
		cells := free[k]
		twice |= once & cells
		once |= cells
		if count := bits.OnesCount64(cells); count < fewest {
			fewest, row = count, k
		}
	}
	// There are as many open columns as rows: if fewer have a free cell, one has
	// none.
	if fewest == 0 || bits.OnesCount64(once) < bits.OnesCount64(open) {
		return true
	}
	cells := free[row]
	if single := once &^ twice; fewest > 1 && single != 0 {
		single &= -single
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

// wide is the walk for larger boards: the general one, except that where few enough rows are open
// Rows visits all solutions, six to nine times as fast (n = 40, 16 to 20 rows open), and is the first
// to look for one through a cell.
type wide struct {
	*general
	assume []cnf.Lit
	rows   *Rows   // of the assumptions; nil until needed, or if too many are open
	cols   []int32 // memory of a solution: the column of each row's queen
	held   []cnf.Var
	placed uint64 // queens placed by earlier Rows
}

func newWide(p encode.Problem) *wide {
	return &wide{general: newGeneral(p), held: make([]cnf.Var, p.N)}
}

func (w *wide) start(assume []cnf.Lit) bool {
	w.placed += w.queens()
	w.assume, w.rows = assume, nil
	return w.general.start(assume)
}

// queens returns the number of queens placed since the start.
func (w *wide) queens() uint64 {
	if w.rows == nil {
		return 0
	}
	return uint64(w.rows.Placed)
}

func (w *wide) cost() uint64 { return w.general.cost() + w.placed + w.queens() }

func (w *wide) depth() uint64 {
	if w.rows == nil {
		return w.general.depth()
	}
	return uint64(len(w.rows.rows))
}

// open makes the Rows, if few enough rows are open.
func (w *wide) open() {
	if p := w.problem.Position(w.assume); p.Open() <= MaxRows {
		w.rows, w.cols = NewRows(p), p.Cols
	}
}

func (w *wide) split() (split, open []cnf.Lit) {
	w.open()
	return w.general.split()
}

func (w *wide) aim(l cnf.Lit, first bool) {
	w.general.aim(l, first)
	if w.rows != nil {
		w.rows.aim(encode.VarCell(w.problem.N, l.Var()), first)
	}
}

func (w *wide) refute(l cnf.Lit) bool {
	if w.rows != nil {
		w.rows.Block(encode.VarCell(w.problem.N, l.Var()))
	}
	return w.general.refute(l)
}

// throughCell is the number of queens that Rows may place to find a solution through a cell: nearly all need
// less than a tenth of it, and for the others restarts are better.
const throughCell = 5000

func (w *wide) walk(
	through cnf.Lit, limit uint64, pause func() error, want wanted, found func(partial) bool,
) error {
	if want != one && w.rows == nil {
		w.open()
	}
	if w.rows == nil || want == one && through == 0 {
		return w.general.walk(through, limit, pause, want, found)
	}
	var cells []board.Cell
	if through != 0 {
		cells = append(cells, encode.VarCell(w.problem.N, through.Var()))
	}
	w.rows.pause, w.rows.limit = pause, 0
	switch cost := w.cost(); {
	case want == one:
		w.rows.limit = w.rows.Placed + throughCell
	case limit != 0 && cost >= limit:
		return pause()
	case limit != 0:
		w.rows.limit = w.rows.Placed + int64(limit-cost)
	}
	err := w.rows.each(func() bool {
		w.rows.Solution(w.cols)
		for row, col := range w.cols {
			w.held[row] = cnf.Var(row*w.problem.N + int(col) + 1)
		}
		return found(partial{held: w.held})
	}, cells...)
	if err == errLimit && want == one {
		return w.general.walk(through, limit, pause, want, found)
	}
	return err
}
