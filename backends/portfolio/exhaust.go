package portfolio

import (
	"context"
	"math/bits"

	"queens/backends"
	"queens/board"
)

// exhaust searches a residual board with at most 64 open rows by backtracking. Open
// rows and columns are renumbered, so a row's free cells fit in one word, and a step
// costs one word operation per open row: where few rows are left, whole subtrees are
// searched in the time gini takes to build a formula.
//
// The next queen goes to a row or column with one free cell, or else to the row with
// the fewest (the fail-first principle: Haralick and Elliott, Artificial Intelligence
// 14, 1980). Package search does the same on whole boards; this one is for many short
// questions about one residual board.
type exhaust struct {
	n    int
	rows []int32  // board row of each open row
	cols []int32  // board column of each open column
	bit  []uint64 // by board column + n: the open column's bit, 0 for others and off the board
	free []uint64 // by open row

	levels [][]uint64 // by depth: the free cells of each open row
	queens []int32    // by open row: the board column
	nodes  int64
	limit  int64 // nodes at which a search gives up
}

const maxExhaust = 64 // open rows: the bits of a word

func newExhaust(r *board.Position) *exhaust {
	e := &exhaust{n: r.N, bit: make([]uint64, 3*r.N)}
	used := make([]bool, r.N)
	for row, col := range r.Cols {
		if col >= 0 {
			used[col] = true
		} else {
			e.rows = append(e.rows, int32(row))
		}
	}
	for col, closed := range used {
		if !closed {
			e.bit[col+r.N] = 1 << len(e.cols)
			e.cols = append(e.cols, int32(col))
		}
	}
	e.free = make([]uint64, len(e.rows))
	for i, row := range e.rows {
		for w, word := range r.Row(int(row)) {
			for ; word != 0; word &= word - 1 {
				e.free[i] |= e.bit[w*64+bits.TrailingZeros64(word)+r.N]
			}
		}
	}
	e.levels = make([][]uint64, len(e.rows)+1)
	for i := range e.levels {
		e.levels[i] = make([]uint64, len(e.rows))
	}
	e.queens = make([]int32, len(e.rows))
	return e
}

// any looks for a solution, placing at most limit queens; it returns Unknown if they
// did not suffice. After Sat, queens holds the solution. The error is the context's.
func (e *exhaust) any(ctx context.Context, limit int64) (backends.Status, error) {
	e.limit = e.nodes + limit
	copy(e.levels[0], e.free)
	return e.search(ctx, 0, e.open())
}

// through is like any, for solutions with a queen on the free cell c.
func (e *exhaust) through(ctx context.Context, c board.Cell, limit int64) (backends.Status, error) {
	e.limit = e.nodes + limit
	copy(e.levels[0], e.free)
	for i, row := range e.rows {
		if int(row) == c.Row {
			e.place(0, e.open(), i, e.bit[c.Col+e.n])
			return e.search(ctx, 1, e.open()&^(1<<i))
		}
	}
	panic("portfolio: a search through a closed row")
}

// refute takes a cell off the board.
func (e *exhaust) refute(c board.Cell) {
	for i, row := range e.rows {
		if int(row) == c.Row {
			e.free[i] &^= e.bit[c.Col+e.n]
		}
	}
}

// open returns all open rows as bits.
func (e *exhaust) open() uint64 { return 1<<len(e.rows) - 1 }

// place fills the level below depth, with one more queen placed. The open rows are
// bits.
func (e *exhaust) place(depth int, open uint64, i int, bit uint64) {
	e.nodes++
	col := e.cols[bits.TrailingZeros64(bit)]
	e.queens[i] = col
	row, at := e.rows[i], int(col)+e.n
	from, to := e.levels[depth], e.levels[depth+1]
	for rest := open &^ (1 << i); rest != 0; rest &= rest - 1 {
		k := bits.TrailingZeros64(rest)
		d := int(e.rows[k] - row)
		to[k] = from[k] &^ (bit | e.bit[at-d] | e.bit[at+d])
	}
}

// search looks for a solution below a level.
func (e *exhaust) search(ctx context.Context, depth int, open uint64) (backends.Status, error) {
	if open == 0 {
		return backends.Sat, nil
	}
	if e.nodes >= e.limit {
		return backends.Unknown, nil
	}
	if e.nodes&1023 == 0 {
		if err := ctx.Err(); err != nil {
			return backends.Unknown, err
		}
	}
	free := e.levels[depth]
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
		return backends.Unsat, nil
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
	for ; cells != 0; cells &= cells - 1 {
		e.place(depth, open, row, cells&-cells)
		if status, err := e.search(ctx, depth+1, open&^(1<<row)); status != backends.Unsat || err != nil {
			return status, err
		}
	}
	return backends.Unsat, nil
}

// solution writes the found solution into the columns of the open rows.
func (e *exhaust) solution(cols []int32) {
	for i, row := range e.rows {
		cols[row] = e.queens[i]
	}
}
