package configure

import "queens/board"

// residual is the board that is left to a person who looks no further than the
// queens' lines: the free cells, and how many each row and column has.
type residual struct {
	n      int
	free   []bool
	rows   []int // free cells of each row; -1 once it has its queen
	cols   []int
	queens []board.Cell
}

func newResidual(state State) *residual {
	n := state.N
	r := &residual{n: n, free: make([]bool, n*n), rows: make([]int, n), cols: make([]int, n)}
	for i := range r.free {
		r.free[i] = true
	}
	for i := range n {
		r.rows[i], r.cols[i] = n, n
	}
	for _, c := range state.Blocked {
		r.clear(c)
	}
	for _, q := range state.Placed {
		r.place(q)
	}
	return r
}

func (r *residual) clear(c board.Cell) {
	i := c.Index(r.n)
	if !r.free[i] {
		return
	}
	r.free[i] = false
	if r.rows[c.Row] > 0 {
		r.rows[c.Row]--
	}
	if r.cols[c.Col] > 0 {
		r.cols[c.Col]--
	}
}

// place puts a queen: its lines are no longer free, its row and column closed.
func (r *residual) place(q board.Cell) {
	r.rows[q.Row], r.cols[q.Col] = -1, -1
	for _, line := range q.Lines(r.n) {
		for _, c := range line.Cells(r.n) {
			r.clear(c)
		}
	}
	r.queens = append(r.queens, q)
}

// lastFree reports whether the cell is the only free one of its row or column.
func (r *residual) lastFree(c board.Cell) (board.Line, bool) {
	switch {
	case !r.free[c.Index(r.n)]:
	case r.rows[c.Row] == 1:
		return board.Line{Kind: board.Row, Index: c.Row}, true
	case r.cols[c.Col] == 1:
		return board.Line{Kind: board.Column, Index: c.Col}, true
	}
	return board.Line{}, false
}
