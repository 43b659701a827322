package bdd

import (
	"math/bits"

	"queens/board"
	"queens/encode"
	"queens/encode/order"
)

// cellSet is a set of a board's cells. A word holds as many whole rows as fit it,
// each a lane of n bits: rows are looked at side by side in a word, columns by
// folding the words onto each other.
type cellSet interface {
	[1]uint64 | [2]uint64 | [3]uint64 | [4]uint64 | [8]uint64 | [16]uint64 | [64]uint64
	comparable
}

// cellSets is the arithmetic on sets of free cells, for one board size and order.
type cellSets[S cellSet] struct {
	n, perWord int    // rows have n cells, words perWord rows
	row        uint64 // the first row of a word
	lefts      uint64 // the first cell of each row of a word
	rights     uint64 // the last cell of each row of a word
	folds      []fold
	cells      []cell // by level
	attacked   []S    // by word*64+bit: what a queen there attacks, its own cell not included
}

// fold lays the upper half of a word's rows onto the lower one.
type fold struct {
	shift uint64
	keep  uint64 // the lower half
}

// cell is where a cell lies in a set.
type cell struct {
	word, bit uint8
	left      uint8  // bit of the row's first cell
	column    uint64 // the cell's column in each row of a word
}

func newCellSets[S cellSet](n int, o order.Order) *cellSets[S] {
	var zero S
	c := &cellSets[S]{n: n, perWord: 64 / n, row: ^uint64(0) >> (64 - n)}
	for i := range c.perWord {
		c.lefts |= 1 << (i * n)
	}
	c.rights = c.lefts << (n - 1)
	for rows := c.perWord; rows > 1; {
		rows = (rows + 1) / 2
		c.folds = append(c.folds, fold{uint64(rows * n), ^uint64(0) >> (64 - rows*n)})
	}
	c.attacked = make([]S, len(zero)*64)
	for _, v := range o {
		at := encode.VarCell(n, v)
		word, bit := c.place(at)
		c.cells = append(c.cells, cell{uint8(word), uint8(bit), uint8(bit - at.Col), c.lefts << at.Col})
		for i := range n * n {
			if other := board.At(n, i); at.Attacks(other) {
				w, b := c.place(other)
				c.attacked[word*64+bit][w] |= 1 << b
			}
		}
	}
	return c
}

func (c *cellSets[S]) place(at board.Cell) (word, bit int) {
	return at.Row / c.perWord, at.Row%c.perWord*c.n + at.Col
}

func (c *cellSets[S]) setBytes() int64 {
	var zero S
	return int64(len(zero)) * 8
}

// start returns the free cells of a problem, or false when it plainly has no
// solution. A placed queen's own cell stays free, the only one of its row and
// column: a forced move.
func (c *cellSets[S]) start(p encode.Problem) (set S, alive bool) {
	for i := range p.NumCells() {
		word, bit := c.place(board.At(p.N, i))
		set[word] |= 1 << bit
	}
	for _, at := range p.Blocked {
		word, bit := c.place(at)
		set[word] &^= 1 << bit
	}
	for _, at := range p.Placed {
		word, bit := c.place(at)
		remove(&set, &c.attacked[word*64+bit])
	}
	for _, at := range p.Placed {
		if word, bit := c.place(at); set[word]>>bit&1 == 0 {
			return set, false // blocked, or attacked by another
		}
	}
	return set, c.shrink(&set, p.N)
}

// with puts a queen on a level's cell, which is free.
func (c *cellSets[S]) with(set *S, level int) verdict {
	at := &c.cells[level]
	queens := c.queens(set) - 1
	(*set)[at.word] &^= 1 << at.bit
	switch changed := remove(set, &c.attacked[int(at.word)*64+int(at.bit)]); {
	case queens == 0:
		return solved
	case !changed: // the move was forced, and shrink has played it
		return open
	case c.shrink(set, queens):
		return open
	}
	return dead
}

type verdict uint8

const (
	dead   verdict = iota
	open           // something is left to decide
	solved         // every row has its queen
)

// without takes a level's cell away, which is free. It reports false when the
// problem that is left plainly has no solution.
func (c *cellSets[S]) without(set *S, level int) bool {
	at := &c.cells[level]
	(*set)[at.word] &^= 1 << at.bit
	row := (*set)[at.word] >> (at.left & 63) & c.row
	// The column's cells of each word, turned so that none meet.
	column := uint64(0)
	for w := 0; w < len(*set); w++ {
		column |= bits.RotateLeft64((*set)[w]&at.column, w)
	}
	switch {
	case row == 0 || column == 0:
		return false
	case row&(row-1) != 0 && column&(column-1) != 0:
		return true // no move has become forced
	}
	return c.shrink(set, c.queens(set))
}

// queens returns the number of queens still to place: of rows with a free cell.
func (c *cellSets[S]) queens(set *S) int {
	rows := uint64(0) // a bit for each; words have fewer rows than rows have cells
	for w := 0; w < len(*set); w++ {
		rows |= c.occupied((*set)[w]) >> (w & 63)
	}
	return bits.OnesCount64(rows)
}

// shrink plays every forced move, which is the only free cell of a row or column,
// until there are no more: unit propagation. What such a queen attacks is removed;
// its own cell stays free. queens is the number of queens still to place, which is
// the number of rows and of columns that must have a free cell; when fewer have
// one, shrink reports false.
func (c *cellSets[S]) shrink(set *S, queens int) bool {
	width := uint64(c.n-1) & 63
	var played S
	for {
		var forced S
		var once, twice, rows uint64 // columns of each row of a word, and rows
		for w := 0; w < len(forced); w++ {
			x := (*set)[w]
			twice |= once & x
			once |= x
			some := c.occupied(x)
			rows |= some >> (w & 63)
			rest := x & (x - some>>width) // without the first of each row
			one := some &^ c.occupied(rest)
			forced[w] = x & (one<<1 - one>>width) // the rows that have one, filled
		}
		for _, f := range c.folds {
			upper := once >> (f.shift & 63)
			twice |= twice>>(f.shift&63) | once&upper
			once = (once | upper) & f.keep
			twice &= f.keep
		}
		if bits.OnesCount64(rows) != queens || bits.OnesCount64(once) != queens {
			return false
		}
		columns := (once &^ twice) * c.lefts // those that have one, in each row of a word
		changed := false
		for w := 0; w < len(forced); w++ {
			moves := (forced[w] | (*set)[w]&columns) &^ played[w]
			played[w] |= moves
			for ; moves != 0; moves &= moves - 1 {
				if remove(set, &c.attacked[w<<6|bits.TrailingZeros64(moves)]) {
					changed = true
				}
			}
		}
		if !changed {
			return true
		}
	}
}

// occupied returns the last cell of each row of a word that has a cell in x.
func (c *cellSets[S]) occupied(x uint64) uint64 {
	return (x&^c.rights + (c.rights - c.lefts) | x) & c.rights
}

// remove takes cells from a set, and reports whether there was one to take.
func remove[S cellSet](set, cells *S) bool {
	var gone uint64
	for w := 0; w < len(*set); w++ {
		gone |= (*set)[w] & (*cells)[w]
		(*set)[w] &^= (*cells)[w]
	}
	return gone != 0
}

// first returns the level of the set's first cell; none is above from.
func (c *cellSets[S]) first(set *S, from int) int {
	for {
		at := &c.cells[from]
		if (*set)[at.word]>>at.bit&1 != 0 {
			return from
		}
		from++
	}
}

const (
	mix1 = 0x9e3779b97f4a7c15
	mix2 = 0xd6e8feb86659fd93
)

// hash spreads a set over 64 bits.
func (c *cellSets[S]) hash(set *S) uint64 {
	h := uint64(mix1)
	for w := 0; w < len(*set); w++ {
		high, low := bits.Mul64((*set)[w]^h, mix2)
		h = high ^ low
	}
	high, low := bits.Mul64(h^mix2, mix1)
	return high ^ low
}
