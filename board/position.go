package board

import (
	"math/bits"
	"slices"
)

// Position is the state of a board on which queens are put one by one: the cells that
// are still free, and how many of them each row and column has left. A search keeps a
// state of its own only where that is faster, and is tested against this one.
//
// Putting a queen takes 3n operations. The memory is n*n/8 + 16n bytes.
type Position struct {
	N int
	// Free holds the cells that are neither blocked nor attacked nor taken. Each
	// row has Words words of 64 columns: column c is bit c%64 of word c/64.
	Free  []uint64
	Words int
	// Cols holds the column of each row's queen, -1 for an open row.
	Cols   []int32
	Queens []Cell // in the order in which they were put
	// Dead says that the position has no completion: a queen was put on a cell that
	// was not free, or an open row or column has no free cell. Contradictions that
	// only a case distinction reveals do not count.
	Dead bool

	left  []int32 // free cells of each row, then of each column; closed with a queen
	units []int32 // lines, indexed as in left, that were down to one free cell at some time
}

// closed is the count left for a row or column with a queen: so far below zero
// that removing cells never makes it look like an open line.
const closed = -1 << 30

// NewPosition returns a board of size n on which first the cells are blocked and
// then the queens put.
func NewPosition(n int, queens, blocked []Cell) *Position {
	words := (n + 63) / 64
	p := &Position{
		N: n, Words: words,
		Free: make([]uint64, n*words), Cols: make([]int32, n), left: make([]int32, 2*n),
	}
	p.Reset(queens, blocked)
	return p
}

// Reset makes p equal to what [NewPosition] returns, reusing p's memory.
func (p *Position) Reset(queens, blocked []Cell) {
	for w := range p.Free {
		p.Free[w] = ^uint64(0)
		if spare := p.N % 64; spare != 0 && w%p.Words == p.Words-1 {
			p.Free[w] = 1<<spare - 1
		}
	}
	p.Queens, p.units, p.Dead = p.Queens[:0], p.units[:0], false
	for i := range p.Cols {
		p.Cols[i] = -1
	}
	for i := range p.left {
		p.left[i] = int32(p.N)
		if p.N == 1 {
			p.units = append(p.units, int32(i))
		}
	}
	for _, c := range blocked {
		p.Block(c)
	}
	for _, q := range queens {
		p.Put(q)
	}
}

// Clone returns a copy.
func (p *Position) Clone() *Position {
	q := *p
	q.Free, q.Cols, q.Queens = slices.Clone(p.Free), slices.Clone(p.Cols), slices.Clone(p.Queens)
	q.left, q.units = slices.Clone(p.left), slices.Clone(p.units)
	return &q
}

// CopyFrom makes p a copy of another position of the same size, reusing p's
// memory.
func (p *Position) CopyFrom(o *Position) {
	copy(p.Free, o.Free)
	copy(p.Cols, o.Cols)
	copy(p.left, o.left)
	p.Queens, p.units = append(p.Queens[:0], o.Queens...), append(p.units[:0], o.units...)
	p.Dead = o.Dead
}

// Row returns the words of [Position.Free] for a row.
func (p *Position) Row(row int) []uint64 { return p.Free[row*p.Words : (row+1)*p.Words] }

// IsFree reports whether a queen can be put on the cell.
func (p *Position) IsFree(c Cell) bool { return p.Free[c.Row*p.Words+c.Col/64]>>(c.Col%64)&1 != 0 }

// Open returns the number of rows without a queen.
func (p *Position) Open() int {
	open := 0
	for _, col := range p.Cols {
		if col < 0 {
			open++
		}
	}
	return open
}

// Cells returns the free cells, row by row.
func (p *Position) Cells() []Cell {
	var cells []Cell
	for row := range p.N {
		cells = p.appendRow(cells, row)
	}
	return cells
}

// FreeCells returns the free cells of a line, in the order of [Line.At].
func (p *Position) FreeCells(l Line) []Cell { return p.appendFree(make([]Cell, 0, 4), l) }

func (p *Position) appendFree(cells []Cell, l Line) []Cell {
	if l.Kind == Row {
		return p.appendRow(cells, l.Index)
	}
	for i := range l.Len(p.N) {
		if c := l.At(p.N, i); p.IsFree(c) {
			cells = append(cells, c)
		}
	}
	return cells
}

func (p *Position) appendRow(cells []Cell, row int) []Cell {
	for w, word := range p.Row(row) {
		for ; word != 0; word &= word - 1 {
			cells = append(cells, Cell{row, w*64 + bits.TrailingZeros64(word)})
		}
	}
	return cells
}

// Left returns the number of free cells of a row or column, -1 if it has a queen.
func (p *Position) Left(l Line) int { return int(max(-1, p.left[int(l.Kind)*p.N+l.Index])) }

// LinesLeft returns the open rows and columns with this number of free cells.
func (p *Position) LinesLeft(free int) []Line {
	var lines []Line
	for i, left := range p.left {
		if left == int32(free) {
			lines = append(lines, p.line(i))
		}
	}
	return lines
}

// line returns the row or column with index i in left.
func (p *Position) line(i int) Line { return Line{LineKind(i / p.N), i % p.N} }

// Block removes a cell from the free ones.
func (p *Position) Block(c Cell) { p.block(c.Row, c.Col) }

// block avoids a branch on whether the cell is free, which no processor could
// predict.
func (p *Position) block(row, col int) {
	word := &p.Free[row*p.Words+col>>6]
	lost := int32(*word >> (col & 63) & 1)
	*word &^= 1 << (col & 63)
	inRow, inCol := &p.left[row], &p.left[p.N+col]
	*inRow -= lost
	*inCol -= lost
	if uint32(*inRow) <= 1 && lost != 0 {
		p.short(row)
	}
	if uint32(*inCol) <= 1 && lost != 0 {
		p.short(p.N + col)
	}
}

// short notes that an open line has lost a free cell and has one or none left.
func (p *Position) short(i int) {
	if p.left[i] == 0 {
		p.Dead = true
	} else {
		p.units = append(p.units, int32(i))
	}
}

// Put puts a queen: its row and column are closed, and the cells it attacks are no
// longer free. Putting it a second time changes nothing.
func (p *Position) Put(q Cell) {
	if p.Cols[q.Row] == int32(q.Col) {
		return
	}
	if !p.IsFree(q) {
		p.Dead = true
	}
	p.Cols[q.Row] = int32(q.Col)
	p.Queens = append(p.Queens, q)
	p.left[q.Row], p.left[p.N+q.Col] = closed, closed
	for w, word := range p.Row(q.Row) {
		for ; word != 0; word &= word - 1 {
			p.block(q.Row, w<<6+bits.TrailingZeros64(word))
		}
	}
	for row, col := range p.Cols {
		if col >= 0 {
			continue // no cell of a closed row is free
		}
		p.block(row, q.Col)
		away := row - q.Row
		if left := q.Col - away; uint(left) < uint(p.N) {
			p.block(row, left)
		}
		if right := q.Col + away; uint(right) < uint(p.N) {
			p.block(row, right)
		}
	}
}

// Propagate puts a queen on the last free cell of each row or column that has only
// one, until there is none or the position is dead.
func (p *Position) Propagate() {
	var only [1]Cell
	for len(p.units) > 0 && !p.Dead {
		i := int(p.units[len(p.units)-1])
		p.units = p.units[:len(p.units)-1]
		if p.left[i] == 1 {
			p.Put(p.appendFree(only[:0], p.line(i))[0])
		}
	}
}

// LookAhead propagates, and blocks the cells on which a queen would leave some row or
// column without a free cell, until there are none or the position is dead. One queen
// can empty only a line with at most three free cells.
func (p *Position) LookAhead() {
	var cells [3]Cell
	for changed := true; changed; {
		changed = false
		p.Propagate()
		for i := 0; i < len(p.left) && !p.Dead; i++ {
			if left := p.left[i]; left < 1 || left > 3 {
				continue
			}
			changed = p.blockAttackers(p.line(i), p.appendFree(cells[:0], p.line(i))) || changed
		}
	}
}

// blockAttackers blocks the free cells that attack all of a line's two or three free
// cells, and reports whether there were any. It does nothing for a single free cell.
func (p *Position) blockAttackers(l Line, few []Cell) bool {
	if len(few) == 1 {
		return false // a unit step, which Propagate makes
	}
	along := func(c Cell) int { return c.Row + c.Col - l.Index } // the line's own index cancels
	a, b, last := along(few[0]), along(few[1]), few[len(few)-1]
	changed := false
	block := func(away, at int) {
		c := Cell{l.Index + away, at}
		if l.Kind == Column {
			c = Cell{at, l.Index + away}
		}
		if c.On(p.N) && p.IsFree(c) && c.Attacks(last) {
			p.Block(c)
			changed = true
		}
	}
	// Two cells of a line that are g apart are both attacked from six cells at most:
	// the corners of the squares on either side, and, for even g, their centres.
	g := b - a
	for _, side := range [2]int{-1, 1} {
		block(side*g, a)
		block(side*g, b)
		if g%2 == 0 {
			block(side*g/2, a+g/2)
		}
	}
	return changed
}
