package board

import (
	"math/bits"
)

// Position is a board of any size on which queens are put one by one. It tracks the free cells, the queens,
// and whether it is known to have no completion. Searches use [Masks], which is faster; the tests compare it
// with Position.
//
// Putting a queen takes at most 3n operations, and a round of Propagate n*Words. The memory is 8n*Words bytes for the
// free cells, 4n for the columns, and 16 for each queen.
type Position struct {
	N int
	// Free holds the cells that are neither blocked nor attacked nor taken. Each
	// row has Words words of 64 columns: column c is bit c%64 of word c/64.
	Free  []uint64
	Words int
	// Cols holds the column of each row's queen, -1 for an open row.
	Cols   []int32
	Queens []Cell // in the order in which they were put
	// Dead says that the position has no completion: a queen was put on a cell that was not free, or Propagate met an
	// open row or column without a free cell. A position may have no completion without being dead.
	Dead bool

	taken []uint64    // columns with a queen
	least [4][]uint64 // buffer of a round: open columns with at least 1, 2, 3, 4 free cells
}

// NewPosition returns a board of size n. It blocks the cells first and then puts
// the queens.
func NewPosition(n int, queens, blocked []Cell) *Position {
	words := (n + 63) / 64
	p := &Position{N: n, Words: words, Free: make([]uint64, n*words), Cols: make([]int32, n)}
	p.taken = make([]uint64, words)
	for k := range p.least {
		p.least[k] = make([]uint64, words)
	}
	p.Reset(queens, blocked)
	return p
}

// Reset makes p equal to what [NewPosition] returns, reusing p's memory.
func (p *Position) Reset(queens, blocked []Cell) {
	for w := range p.Words {
		for i, columns := w, p.columns(w); i < len(p.Free); i += p.Words {
			p.Free[i] = columns
		}
	}
	clear(p.taken)
	p.Queens, p.Dead = p.Queens[:0], false
	for i := range p.Cols {
		p.Cols[i] = -1
	}
	for _, c := range blocked {
		p.Block(c)
	}
	for _, q := range queens {
		p.Put(q)
	}
}

// columns returns the bits of a row's word w that stand for columns of the board.
func (p *Position) columns(w int) uint64 {
	if spare := (w+1)*64 - p.N; spare > 0 {
		return ^uint64(0) >> spare
	}
	return ^uint64(0)
}

// CopyFrom makes p a copy of another position of the same size, reusing p's
// memory.
func (p *Position) CopyFrom(o *Position) {
	copy(p.Free, o.Free)
	copy(p.Cols, o.Cols)
	copy(p.taken, o.taken)
	p.Queens, p.Dead = append(p.Queens[:0], o.Queens...), o.Dead
}

// Row returns the words of [Position.Free] for a row.
func (p *Position) Row(row int) []uint64 { return p.Free[row*p.Words : (row+1)*p.Words] }

// IsFree reports whether a queen can be put on the cell.
func (p *Position) IsFree(c Cell) bool { return p.Free[c.Row*p.Words+c.Col>>6]>>(c.Col&63)&1 != 0 }

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

// Left returns the number of free cells of a row or column, -1 if the line has a queen.
func (p *Position) Left(l Line) int {
	if l.Kind == Row && p.Cols[l.Index] >= 0 || l.Kind == Column && p.taken[l.Index>>6]>>(l.Index&63)&1 != 0 {
		return -1
	}
	left := 0
	if l.Kind == Row {
		for _, cells := range p.Row(l.Index) {
			left += bits.OnesCount64(cells)
		}
		return left
	}
	for at := l.Index >> 6; at < len(p.Free); at += p.Words {
		left += int(p.Free[at] >> (l.Index & 63) & 1)
	}
	return left
}

// Block removes a cell from the free ones.
func (p *Position) Block(c Cell) { p.Free[c.Row*p.Words+c.Col>>6] &^= 1 << (c.Col & 63) }

// Put puts a queen on a cell: its row and column are then closed, and the cells it
// attacks are no longer free. Putting the same queen again changes nothing.
func (p *Position) Put(q Cell) {
	if p.Cols[q.Row] == int32(q.Col) {
		return
	}
	if !p.IsFree(q) {
		p.Dead = true
	}
	p.Cols[q.Row] = int32(q.Col)
	p.Queens = append(p.Queens, q)
	p.taken[q.Col>>6] |= 1 << (q.Col & 63)
	clear(p.Row(q.Row))
	if p.Words == 1 {
		queen := uint64(1) << q.Col
		left, right := queen, queen
		for row := q.Row - 1; row >= 0; row-- {
			left, right = left<<1, right>>1
			p.Free[row] &^= queen | left | right
		}
		left, right = queen, queen
		for row := q.Row + 1; row < len(p.Free); row++ {
			left, right = left<<1, right>>1
			p.Free[row] &^= queen | left | right
		}
		return
	}
	for row, col := range p.Cols {
		if col >= 0 {
			continue // no cell of a closed row is free
		}
		p.Block(Cell{row, q.Col})
		away := row - q.Row
		if left := q.Col - away; uint(left) < uint(p.N) {
			p.Block(Cell{row, left})
		}
		if right := q.Col + away; uint(right) < uint(p.N) {
			p.Block(Cell{row, right})
		}
	}
}

// Propagate puts a queen on the free cell of each row or column that has only one, until there is no such line or the
// position is dead.
func (p *Position) Propagate() {
	for again := true; again && !p.Dead; {
		again = false
		one, two := p.least[0], p.least[1][:p.Words]
		clear(one)
		clear(two)
		free := p.Free
		for row, col := range p.Cols {
			line := free[:len(two)]
			free = free[len(two):]
			if col >= 0 {
				continue
			}
			var some, others uint64
			for w, cells := range line {
				if w > 0 && some != 0 {
					others |= cells
				}
				some |= cells
				others |= cells & (cells - 1)
				two[w] |= one[w] & cells
				one[w] |= cells
			}
			if some == 0 {
				p.Dead = true
				return
			}
			if others == 0 {
				p.putFirst(row, nil)
				again = true
			}
		}
		if again {
			continue // columns may have lost cells in rows already counted
		}
		single := false
		for w := range one {
			if one[w]|p.taken[w] != p.columns(w) {
				p.Dead = true
				return
			}
			two[w] = one[w] &^ two[w]
			single = single || two[w] != 0
		}
		for row := 0; single && row < p.N; row++ { // a row's second such cell leaves its column empty
			again = p.putFirst(row, two) || again
		}
	}
}

// putFirst puts a queen on the first free cell of a row, in one of the given columns unless they are nil, and reports
// whether there is such a cell.
func (p *Position) putFirst(row int, columns []uint64) bool {
	for w, cells := range p.Row(row) {
		if columns != nil {
			cells &= columns[w]
		}
		if cells != 0 {
			p.Put(Cell{row, w<<6 + bits.TrailingZeros64(cells)})
			return true
		}
	}
	return false
}

// LookAhead propagates, and blocks the cells on which a queen would leave some row or
// column without a free cell, until there are no such cells or the position is dead.
// One queen can leave only a line of at most three free cells without one.
func (p *Position) LookAhead() {
	var cells [3]Cell
	for changed := true; changed; {
		p.Propagate()
		if p.Dead {
			return
		}
		changed = false
		for _, columns := range p.least {
			clear(columns)
		}
		for row, col := range p.Cols {
			if col >= 0 {
				continue
			}
			count := 0
			for w, cells := range p.Row(row) {
				count += bits.OnesCount64(cells)
				for k := 3; k > 0; k-- {
					p.least[k][w] |= p.least[k-1][w] & cells
				}
				p.least[0][w] |= cells
			}
			if l := (Line{Row, row}); count <= 3 {
				changed = p.blockAttackers(l, p.appendFree(cells[:0], l)) || changed
			}
		}
		for w, many := range p.least[3] {
			for few := p.columns(w) &^ (p.taken[w] | many); few != 0; few &= few - 1 {
				l := Line{Column, w<<6 + bits.TrailingZeros64(few)}
				changed = p.blockAttackers(l, p.appendFree(cells[:0], l)) || changed
			}
		}
	}
}

// blockAttackers blocks the free cells that attack all of a line's two or three free cells, and reports whether there
// were any. For fewer cells it does nothing, since Propagate handles them.
func (p *Position) blockAttackers(l Line, few []Cell) bool {
	if len(few) < 2 {
		return false
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
