package encode

import (
	"math/bits"
	"queens/encode/amo"

	"queens/board"
	"queens/encode/cnf"
)

// Residual is what unit reasoning leaves of a problem under assumptions: placed
// queens clear the cells they attack, and a row or column with one free cell
// left gets its queen there, until nothing changes. The solutions are those of
// the problem under the assumptions.
type Residual struct {
	N int
	// Dead says that there is no solution: two fixed queens attack each other, or
	// a row or column has neither a queen nor a free cell. Nothing else is then
	// of use.
	Dead bool
	// Cols holds the column of each row's fixed queen, or -1: the row is open.
	Cols []int32
	// Free holds the cells that are neither decided nor attacked by a fixed
	// queen, Words words of 64 columns for each row; closed rows have none.
	Free  []uint64
	Words int

	rowFree, colFree []int32 // free cells of open rows and columns
	units            []board.Cell
}

// Residual reduces the problem under the assumptions, which are literals of
// cells. It takes O(n) operations a fixed queen and O(n^2/64) beside.
func (p Problem) Residual(assume []cnf.Lit) *Residual {
	n := p.N
	words := (n + 63) / 64
	r := &Residual{
		N: n, Words: words,
		Cols: make([]int32, n), Free: make([]uint64, n*words),
		rowFree: make([]int32, n), colFree: make([]int32, n),
	}
	for row := range n {
		r.Cols[row] = -1
		r.rowFree[row], r.colFree[row] = int32(n), int32(n)
		mask := r.Row(row)
		for w := range mask {
			mask[w] = ^uint64(0)
		}
		if n%64 != 0 {
			mask[words-1] = 1<<(n%64) - 1
		}
	}
	for _, c := range p.Blocked() {
		r.clear(c.Row, c.Col)
	}
	for _, l := range assume {
		if !l.Positive() {
			c := VarCell(n, l.Var())
			r.clear(c.Row, c.Col)
		}
	}
	for _, c := range p.Placed() {
		r.place(c)
	}
	for _, l := range assume {
		if l.Positive() {
			r.place(VarCell(n, l.Var()))
		}
	}
	r.propagate()
	return r
}

// Row returns the free cells of a row, bit c%64 of word c/64 for column c.
func (r *Residual) Row(row int) []uint64 { return r.Free[row*r.Words : (row+1)*r.Words] }

// IsFree reports whether the cell is free.
func (r *Residual) IsFree(c board.Cell) bool {
	return r.Free[c.Row*r.Words+c.Col/64]>>(c.Col%64)&1 != 0
}

// Open returns the number of open rows, which is the number of open columns.
func (r *Residual) Open() int {
	open := 0
	for _, col := range r.Cols {
		if col < 0 {
			open++
		}
	}
	return open
}

// Cells returns the free cells, by rising row and column.
func (r *Residual) Cells() []board.Cell {
	var cells []board.Cell
	for row := range r.N {
		for w, word := range r.Row(row) {
			for ; word != 0; word &= word - 1 {
				cells = append(cells, board.Cell{Row: row, Col: w*64 + bits.TrailingZeros64(word)})
			}
		}
	}
	return cells
}

// LookAhead removes free cells whose queen would leave some row or column without
// a free cell, until there are none. Only lines with at most three free cells
// can be emptied by one queen, so it takes O(n) operations a line that short.
func (r *Residual) LookAhead() {
	var few []board.Cell
	for changed := true; changed && !r.Dead; {
		changed = false
		for i := range 2 * r.N {
			line := board.Line{Kind: board.Row, Index: i}
			count := r.rowFree[i%r.N]
			if i >= r.N {
				line = board.Line{Kind: board.Column, Index: i - r.N}
				count = r.colFree[i-r.N]
			}
			if r.Dead || count < 1 || count > 3 {
				continue
			}
			few = few[:0]
			for _, c := range line.Cells(r.N) {
				if r.IsFree(c) {
					few = append(few, c)
				}
			}
			for _, through := range few[0].Lines(r.N) {
				if through == line {
					continue
				}
			cells:
				for _, c := range through.Cells(r.N) {
					if !r.IsFree(c) {
						continue
					}
					for _, f := range few {
						if !c.Attacks(f) {
							continue cells
						}
					}
					r.clear(c.Row, c.Col)
					changed = true
				}
			}
		}
		r.propagate()
	}
}

// clear takes a cell out of the free ones.
func (r *Residual) clear(row, col int) {
	word, bit := &r.Free[row*r.Words+col/64], uint64(1)<<(col%64)
	if *word&bit == 0 {
		return
	}
	*word &^= bit
	r.rowFree[row]--
	r.colFree[col]--
	if r.rowFree[row] == 0 || r.colFree[col] == 0 {
		r.Dead = true
		return
	}
	if r.rowFree[row] == 1 {
		for w, word := range r.Row(row) {
			if word != 0 {
				r.units = append(r.units, board.Cell{Row: row, Col: w*64 + bits.TrailingZeros64(word)})
			}
		}
	}
	if r.colFree[col] == 1 {
		for i := range r.N {
			if c := (board.Cell{Row: i, Col: col}); r.IsFree(c) {
				r.units = append(r.units, c)
			}
		}
	}
}

// closed is the count of free cells of a row or column with a queen: so far below
// zero that clearing its cells never looks like emptying it.
const closed = -1 << 30

// place fixes a queen.
func (r *Residual) place(c board.Cell) {
	if r.Dead || r.Cols[c.Row] == int32(c.Col) {
		return
	}
	if !r.IsFree(c) {
		r.Dead = true
		return
	}
	r.Cols[c.Row] = int32(c.Col)
	r.rowFree[c.Row], r.colFree[c.Col] = closed, closed
	for w, word := range r.Row(c.Row) {
		for ; word != 0; word &= word - 1 {
			r.clear(c.Row, w*64+bits.TrailingZeros64(word))
		}
	}
	for row := range r.N {
		for _, col := range [3]int{c.Col, c.Col - row + c.Row, c.Col + row - c.Row} {
			if 0 <= col && col < r.N {
				r.clear(row, col)
			}
		}
	}
}

// propagate places the queens of rows and columns with one free cell.
func (r *Residual) propagate() {
	for len(r.units) > 0 && !r.Dead {
		c := r.units[len(r.units)-1]
		r.units = r.units[:len(r.units)-1]
		r.place(c)
	}
}

// CNF lowers the residual board to clauses over its free cells alone, under an
// encoding that choose is given the number of attacking pairs to name. Variable i
// of the formula, for i <= len(cells), stands for cells[i-1]; those above are
// auxiliary. A dead board gives the empty clause.
func (r *Residual) CNF(choose func(pairs int) amo.Encoding) (f *cnf.Formula, cells []board.Cell) {
	cells = r.Cells()
	f = &cnf.Formula{Vars: len(cells)}
	if r.Dead {
		f.Add()
		return f, cells
	}
	lines := board.Lines(r.N)
	first := [4]int{0, r.N, 2 * r.N, 4*r.N - 1} // place of each kind's first line
	byLine := make([][]cnf.Lit, len(lines))
	for i, c := range cells {
		for k, line := range c.Lines(r.N) {
			at := first[k] + line.Index
			byLine[at] = append(byLine[at], cnf.Lit(i+1))
		}
	}
	pairs := 0
	for _, lits := range byLine {
		pairs += len(lits) * (len(lits) - 1) / 2
	}
	var constraints []Constraint
	for i, lits := range byLine {
		bound := ExactlyOne
		if lines[i].Kind >= board.Diagonal {
			bound = AtMostOne
		}
		if len(lits) > 0 {
			constraints = append(constraints, Constraint{Bound: bound, Lits: lits})
		}
	}
	lower(f, constraints, choose(pairs))
	return f, cells
}
