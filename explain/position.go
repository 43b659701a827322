package explain

import (
	"slices"

	"queens/board"
)

// position is the board as a person sees it who looks no further than along the
// queens' lines: queens, free cells, and how many each open row and column has.
type position struct {
	n      int
	free   []bool // by cell index
	rows   []int  // free cells of each row; closed once it has its queen
	cols   []int
	queens []board.Cell // in the order they were put
}

// closed is the count of a line with a queen, so low that clearing cells never
// makes it look like an open one.
const closed = -1 << 30

func newPosition(n int, queens, blocked []board.Cell) *position {
	p := &position{n: n, free: make([]bool, n*n), rows: make([]int, n), cols: make([]int, n)}
	for i := range p.free {
		p.free[i] = true
	}
	for i := range n {
		p.rows[i], p.cols[i] = n, n
	}
	for _, c := range blocked {
		p.clear(c.Row, c.Col)
	}
	for _, q := range queens {
		p.put(q)
	}
	return p
}

func (p *position) clone() *position {
	return &position{
		n: p.n, free: slices.Clone(p.free), rows: slices.Clone(p.rows), cols: slices.Clone(p.cols),
		queens: slices.Clone(p.queens),
	}
}

// copyFrom makes p the same as another position of the same size.
func (p *position) copyFrom(o *position) {
	copy(p.free, o.free)
	copy(p.rows, o.rows)
	copy(p.cols, o.cols)
	p.queens = append(p.queens[:0], o.queens...)
}

func (p *position) clear(row, col int) {
	if i := row*p.n + col; p.free[i] {
		p.free[i] = false
		p.rows[row]--
		p.cols[col]--
	}
}

// put puts a queen: its row and column are closed, its lines no longer free.
func (p *position) put(q board.Cell) {
	p.rows[q.Row], p.cols[q.Col] = closed, closed
	for i := range p.n {
		p.clear(q.Row, i)
		for _, col := range [3]int{q.Col, q.Col - i + q.Row, q.Col + i - q.Row} {
			if 0 <= col && col < p.n {
				p.clear(i, col)
			}
		}
	}
	p.queens = append(p.queens, q)
}

func (p *position) isFree(c board.Cell) bool { return p.free[c.Row*p.n+c.Col] }

// count returns the number of free cells of a row or column.
func (p *position) count(line board.Line) int {
	if line.Kind == board.Row {
		return p.rows[line.Index]
	}
	return p.cols[line.Index]
}

// lines returns the open rows and columns with the given number of free cells.
func (p *position) lines(free int) []board.Line {
	var lines []board.Line
	for i, count := range p.rows {
		if count == free {
			lines = append(lines, board.Line{Kind: board.Row, Index: i})
		}
	}
	for i, count := range p.cols {
		if count == free {
			lines = append(lines, board.Line{Kind: board.Column, Index: i})
		}
	}
	return lines
}

// freeCells returns the free cells of a row or column.
func (p *position) freeCells(line board.Line) []board.Cell {
	cells := make([]board.Cell, 0, 4)
	for i := range p.n {
		c := board.Cell{Row: line.Index, Col: i}
		if line.Kind == board.Column {
			c = board.Cell{Row: i, Col: line.Index}
		}
		if p.isFree(c) {
			cells = append(cells, c)
		}
	}
	return cells
}
