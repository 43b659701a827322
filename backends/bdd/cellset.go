package bdd

import (
	"math/bits"

	"queens/board"
	"queens/encode"
	"queens/order"
)

// cellSet is a set of a board's cells. A word holds some whole rows, each a lane of n
// bits: rows are looked at side by side in a word, columns by folding the words onto
// each other. Words come in blocks of four, which the processor works on side by side,
// too.
type cellSet interface {
	[1]block | [2]block | [4]block | [16]block
	comparable
}

type block [4]uint64

// cellSets is the arithmetic on sets of free cells, for one board size and order.
type cellSets[S cellSet] struct {
	n, perWord int    // rows have n cells, words at most perWord rows
	row        uint64 // the first row of a word
	lanes
	folds  []fold
	rows   uint64 // the mark of every row: see count
	cells  []cell // by level
	spared []S    // by word*64+bit: the cells that a queen there does not attack, its own included
	left   []S    // by level: the cells that a queen there does not attack, without its own
}

// lanes is the rows of a word.
type lanes struct {
	lefts  uint64 // the first cell of each
	rights uint64 // the last cell of each
	body   uint64 // all but the last cell of each
	width  uint64 // from the first cell to the last
}

// fold lays the upper half of a word's rows onto the lower one.
type fold struct {
	shift uint64
	keep  uint64 // the lower half
}

// cell is where a cell lies in a set.
type cell struct {
	word, bit uint8
	first     uint8  // bit of the row's first cell
	row       uint64 // the mark of its row
	column    uint64 // the mark of its column: the column in the first row of a word
	past      int    // the level of the first cell below that it does not attack
	run       uint64 // this cell, and those of the next levels that lie behind it bit by bit
	next      int    // the level of the first cell that does not
}

func newCellSets[S cellSet](n int, o order.Order) *cellSets[S] {
	var none S
	words := 4 * len(none)
	c := &cellSets[S]{n: n, perWord: (n + words - 1) / words, row: ^uint64(0) >> (64 - n)}
	for i := range c.perWord {
		c.lefts |= 1 << (i * n)
	}
	c.width = uint64(n - 1)
	c.rights = c.lefts << c.width
	c.body = c.rights - c.lefts
	for rows := c.perWord; rows > 1; {
		rows = (rows + 1) / 2
		c.folds = append(c.folds, fold{uint64(rows * n), ^uint64(0) >> (64 - rows*n)})
	}
	c.spared = make([]S, words*64)
	c.left = make([]S, len(o))
	for level, v := range o {
		at := encode.VarCell(n, v)
		word, bit := c.place(at)
		first := bit - at.Col
		past := level + 1
		for past < len(o) && at.Attacks(encode.VarCell(n, o[past])) {
			past++
		}
		row := uint64(1) << (first + n - 1) >> word
		c.rows |= row
		c.cells = append(c.cells, cell{
			word: uint8(word), bit: uint8(bit), first: uint8(first),
			row: row, column: 1 << at.Col, past: past, run: 1 << bit, next: level + 1,
		})
		var spared S
		for w := range words {
			spared[w/4][w%4] = ^uint64(0)
		}
		for i := range n * n {
			if other := board.At(n, i); at.Attacks(other) {
				w, b := c.place(other)
				spared[w/4][w%4] &^= 1 << b
			}
		}
		c.spared[word*64+bit] = spared
		spared[word/4][word%4] &^= 1 << bit
		c.left[level] = spared
	}
	for level := len(o) - 2; level >= 0; level-- {
		if at, next := &c.cells[level], c.cells[level+1]; at.word == next.word && at.bit+1 == next.bit {
			at.run |= next.run
			at.next = next.next
		}
	}
	return c
}

func (c *cellSets[S]) place(at board.Cell) (word, bit int) {
	return at.Row / c.perWord, at.Row%c.perWord*c.n + at.Col
}

func (c *cellSets[S]) setBytes() int64 {
	var zero S
	return int64(len(zero)) * 32
}

// start returns the free cells of a problem, or false when it plainly has no
// solution. A placed queen's own cell stays free, the only one of its row and
// column: a forced move.
func (c *cellSets[S]) start(p encode.Problem) (set S, alive bool) {
	for i := range p.NumVars() {
		word, bit := c.place(board.At(p.N, i))
		set[word/4][word%4] |= 1 << bit
	}
	for _, at := range p.Blocked() {
		word, bit := c.place(at)
		set[word/4][word%4] &^= 1 << bit
	}
	for _, at := range p.Placed() {
		word, bit := c.place(at)
		keep(&set, &c.spared[word*64+bit])
	}
	for _, at := range p.Placed() {
		if word, bit := c.place(at); set[word/4][word%4]>>bit&1 == 0 {
			return set, false // blocked, or attacked by another
		}
	}
	var none S
	return set, c.shrink(&set, &none, c.rows, c.row)
}

// branching goes through the choices of a state: a queen on its first free cell; none
// there, but on the next one; and so on, as long as the cells lie in one row or column.
// A queen on such a cell takes away itself what was passed over, so nothing is lost by
// not asking at once what passing it over forces.
type branching[S cellSet] struct {
	rest              S      // the state without the cells passed over
	alone             S      // cells alone in their row or column: queens that have been played
	rows, columns     uint64 // that still need a queen, by their marks
	level             int    // of the cell to choose or pass over
	inRows, inColumns uint64 // those of the cells passed over
	forces            bool   // passing over has left a row or column a single cell
}

type verdict uint8

const (
	dead   verdict = iota // plainly no solution
	open                  // something is left to decide
	solved                // every row has its queen
	more                  // the branching goes on at the next cell
)

// branch begins to branch on a state, whose first free cell is on a level.
func (c *cellSets[S]) branch(b *branching[S], state *S, level int) {
	b.rest, b.level = *state, level
	b.inRows, b.inColumns, b.forces = 0, 0, false
	b.rows, b.columns = c.count(state, &b.alone)
}

// choose puts a queen on the cell to choose, and makes set what that leaves.
func (c *cellSets[S]) choose(b *branching[S], set *S) verdict {
	at := &c.cells[b.level]
	rows, columns := b.rows&^at.row, b.columns&^at.column
	if rows == 0 {
		return solved
	}
	left := &c.left[b.level]
	for i := range len(*set) {
		to, from, left := &(*set)[i], &b.rest[i], &(*left)[i]
		to[0], to[1], to[2], to[3] = from[0]&left[0], from[1]&left[1], from[2]&left[2], from[3]&left[3]
	}
	if c.shrink(set, &b.alone, rows, columns) {
		return open
	}
	return dead
}

// pass passes over the cell to choose. When it returns open, b.rest is a state of its
// own.
func (c *cellSets[S]) pass(b *branching[S]) verdict {
	at := &c.cells[b.level]
	b.rest[at.word/4][at.word%4] &^= 1 << (at.bit & 63)
	row := b.rest[at.word/4][at.word%4] >> (at.first & 63) & c.row
	// The column's cells of each word, turned so that none meet.
	var column uint64
	below := at.column * c.lefts
	for i := range len(b.rest) {
		x := &b.rest[i]
		here := x[0]&below | bits.RotateLeft64(x[1]&below, 1) | bits.RotateLeft64(x[2]&below, 2) | bits.RotateLeft64(x[3]&below, 3)
		column |= bits.RotateLeft64(here, 4*i)
	}
	if row == 0 || column == 0 {
		return dead
	}
	b.forces = b.forces || row&(row-1) == 0 || column&(column-1) == 0
	b.level = c.first(&b.rest, b.level+1)
	b.inRows |= at.row
	b.inColumns |= at.column
	next := &c.cells[b.level]
	switch {
	case b.inRows == next.row || b.inColumns == next.column:
		return more
	case !b.forces:
		return open
	case c.shrink(&b.rest, &b.alone, b.rows, b.columns):
		return open
	}
	return dead
}

// shrink plays every forced move, which is the only free cell of a row or column,
// until there are no more: unit propagation. What such a queen attacks is removed;
// its own cell stays free. When one of the rows and columns that need a queen has no
// free cell, shrink reports false. Moves played before are not played again.
func (c *cellSets[S]) shrink(set, before *S, rows, columns uint64) bool {
	played := *before
	for {
		var alone S
		if r, k := c.count(set, &alone); r != rows || k != columns {
			return false
		}
		changed := uint64(0)
		for i := range len(alone) {
			a, p := &alone[i], &played[i]
			a[0], a[1], a[2], a[3] = a[0]&^p[0], a[1]&^p[1], a[2]&^p[2], a[3]&^p[3]
			if a[0]|a[1]|a[2]|a[3] == 0 {
				continue
			}
			for w, moves := range a {
				p[w] |= moves
				for ; moves != 0; moves &= moves - 1 {
					if (*set)[i][w]&moves&-moves == 0 {
						return false // another has taken it
					}
					changed |= keep(set, &c.spared[(4*i+w)<<6|bits.TrailingZeros64(moves)])
				}
			}
		}
		if changed == 0 {
			return true
		}
	}
}

// count finds the rows and columns that have a free cell, and the cells alone in
// theirs. The mark of a row is its last bit, shifted by its word's number, so that no
// two are alike; that of a column is its bit in a word's first row.
func (c *cellSets[S]) count(set, alone *S) (rows, columns uint64) {
	var twice uint64 // columns with two cells or more
	lanes := c.lanes
	for i := range len(*set) {
		x, a := &(*set)[i], &(*alone)[i]
		for w := range len(x) {
			x := x[w]
			twice |= columns & x
			columns |= x
			some, one := lanes.count(x)
			a[w] = one
			rows |= some >> (4*i + w)
		}
	}
	for _, f := range c.folds {
		upper := columns >> (f.shift & 63)
		twice |= twice>>(f.shift&63) | columns&upper
		columns = (columns | upper) & f.keep
		twice &= f.keep
	}
	once := (columns &^ twice) * c.lefts // in each row of a word
	for i := range len(*set) {
		x, a := &(*set)[i], &(*alone)[i]
		a[0], a[1], a[2], a[3] = a[0]|x[0]&once, a[1]|x[1]&once, a[2]|x[2]&once, a[3]|x[3]&once
	}
	return rows, columns
}

// occupied returns the last cell of each row that has a cell in x.
func (l lanes) occupied(x uint64) uint64 {
	return (x&l.body + l.body | x) & l.rights
}

// count returns the last cell of each row that has a cell in x, and the cells that are
// alone in their row.
func (l lanes) count(x uint64) (some, alone uint64) {
	some = l.occupied(x)
	more := l.occupied(x & (x - some>>(l.width&63))) // without the first of each row
	return some, x &^ (more<<1 - more>>(l.width&63))
}

// keep takes all but some cells from a set, and returns something other than 0 when
// there was one to take.
func keep[S cellSet](set, cells *S) (gone uint64) {
	for i := range len(*set) {
		x, y := &(*set)[i], &(*cells)[i]
		k0, k1, k2, k3 := x[0]&y[0], x[1]&y[1], x[2]&y[2], x[3]&y[3]
		gone |= (x[0] ^ k0) | (x[1] ^ k1) | (x[2] ^ k2) | (x[3] ^ k3)
		x[0], x[1], x[2], x[3] = k0, k1, k2, k3
	}
	return gone
}

// first returns the level of the set's first cell; none is above from. In row-major
// order it takes a look at each word, in others at a few cells or one at a time.
func (c *cellSets[S]) first(set *S, from int) int {
	for {
		at := &c.cells[from]
		if run := (*set)[at.word/4][at.word%4] & at.run; run != 0 {
			return from + bits.TrailingZeros64(run) - int(at.bit)
		}
		from = at.next
	}
}

const (
	mix1 = 0x9e3779b97f4a7c15
	mix2 = 0xd6e8feb86659fd93
)

// hash spreads a set over 64 bits.
func (c *cellSets[S]) hash(set *S) uint64 {
	h := uint64(mix1)
	for i := range len(*set) {
		x := &(*set)[i]
		high0, low0 := bits.Mul64(x[0]^mix1, x[1]^mix2)
		high1, low1 := bits.Mul64(x[2]^mix2, x[3]^mix1)
		high, low := bits.Mul64(high0^low0^h, high1^low1^mix2)
		h = high ^ low
	}
	high, low := bits.Mul64(h^mix2, mix1)
	return high ^ low
}
