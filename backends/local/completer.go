package local

import (
	"context"
	"math/bits"

	"queens/board"
)

// Completer completes placements of one board repeatedly: each call returns a
// solution that contains the placed queens and some wanted cells. It supplies witnesses
// for valid cells, so it is built for many quick answers: all memory is allocated once,
// and a call costs a few word operations per queen.
//
// Its repair is not min-conflicts. Queens on the board never attack each other; the
// only defect of a board is that some rows have no queen yet. A step takes such a row
// and, in order of preference, gives it a free cell; or takes another row's column if
// that row can move to an unused column (an augmenting path of length two); or takes
// a cell anyway and ejects the queens it attacks. After half as many steps as there
// are rows to fill, the board is filled from scratch: on small or crowded boards that
// is what finds a solution, and elsewhere a round takes about seven steps. A row's
// unattacked cells are found 64 at a time: the bits of its free cells, minus both
// diagonals' bits shifted into place.
//
// Memory is n*n/8 bytes for the free cells and about 21n for the rest. A Completer
// serves one goroutine at a time, and the same seed and calls produce the same
// answers.
type Completer struct {
	// MaxSteps bounds the repair steps of one call, 20n+1000 unless set; a call that
	// exceeds it reports not found.
	MaxSteps int

	n, words int
	random   random

	// The placement.
	at     *board.Position
	free   bitset  // its free cells
	placed []int32 // its columns: of the row's placed queen, or -1
	rows   []int32 // rows without a placed queen
	closed bitset  // columns with a placed queen

	// The board of one call. Only queens that are not placed are on it.
	col        []int32 // column of the row's queen, or -1
	row        []int32 // row of the column's queen, or -1
	taken      bitset  // columns with any queen
	pinned     bitset  // columns of wanted cells: their queens stay
	diag, anti bitset  // col-row+n-1 and row+col of the queens
	left       []int32 // rows without a queen, in no order
	mask       bitset  // unattacked cells of one row
	steps      int     // of this call
	stuck      bool    // this call cannot find anything
}

// CompleterOf returns a Completer for a position, using all that is known about it:
// no queen goes to a cell that is not free. Use it if the position is at hand: its
// unit steps and look-ahead help.
func CompleterOf(p *board.Position, seed uint64) *Completer {
	n, words := p.N, p.Words
	at := p.Clone()
	c := &Completer{
		MaxSteps: 20*n + 1000, n: n, words: words,
		at: at, free: at.Free, placed: at.Cols, rows: make([]int32, 0, n), closed: newBitset(n),
		col: make([]int32, n), row: make([]int32, n),
		taken: newBitset(n), pinned: newBitset(n),
		// window reads one word past the last diagonal
		diag: make(bitset, 2*words+1), anti: make(bitset, 2*words+1),
		left: make([]int32, 0, n), mask: newBitset(n),
	}
	c.random.pcg.Seed(seed, streamCompleter)
	for r, col := range c.placed {
		if col < 0 {
			c.rows = append(c.rows, int32(r))
		} else {
			c.closed.add(int(col))
		}
	}
	return c
}

// Complete looks for a solution that holds the placed queens and the wanted cells,
// and returns the column of each row's queen.
//
// False means that no solution was found, perhaps since the context ended, not that there
// is none. The slice belongs to the Completer and is valid until the next call.
func (c *Completer) Complete(ctx context.Context, want ...board.Cell) ([]int32, bool) {
	c.steps = 0
	found := false
	c.stuck = c.at.Dead
	for !found && !c.stuck && c.steps < c.MaxSteps && c.start(want) {
		c.fill()
		found = c.repair(ctx, min(c.MaxSteps, c.steps+len(c.rows)/2+20))
	}
	if !found {
		return nil, false
	}
	for r, col := range c.placed {
		if col >= 0 {
			c.col[r] = col
		}
	}
	return c.col, true
}

// start empties the board and puts the wanted queens on it.
func (c *Completer) start(want []board.Cell) bool {
	for i := range c.col {
		c.col[i], c.row[i] = -1, -1
	}
	copy(c.taken, c.closed)
	clear(c.pinned)
	clear(c.diag)
	clear(c.anti)
	for _, q := range want {
		if !q.On(c.n) {
			return false
		}
		if c.placed[q.Row] == int32(q.Col) || c.col[q.Row] == int32(q.Col) {
			continue
		}
		c.unattacked(q.Row)
		if c.col[q.Row] >= 0 || c.taken.has(q.Col) || !c.mask.has(q.Col) {
			return false
		}
		c.put(q.Row, q.Col)
		c.pinned.add(q.Col)
	}
	return true
}

// fill gives rows that have an unattacked cell a queen, in a random order.
func (c *Completer) fill() {
	left := c.left[:0]
	for _, r := range c.rows {
		if c.col[r] < 0 {
			left = append(left, r)
		}
	}
	for i := len(left) - 1; i > 0; i-- {
		j := c.random.below(i + 1)
		left[i], left[j] = left[j], left[i]
	}
	rest := left[:0]
	for _, r := range left {
		c.unattacked(int(r))
		for w := range c.mask {
			c.mask[w] &^= c.taken[w]
		}
		if col := c.pick(c.mask); col >= 0 {
			c.put(int(r), col)
		} else {
			rest = append(rest, r)
		}
	}
	c.left = rest
}

// repair gives the remaining rows a queen, or gives up after limit steps.
func (c *Completer) repair(ctx context.Context, limit int) bool {
	for len(c.left) > 0 {
		if c.steps >= limit || c.stuck {
			return false
		}
		if c.steps++; c.steps%64 == 0 && ctx.Err() != nil {
			c.stuck = true
		}
		i := c.random.below(len(c.left))
		r := int(c.left[i])
		c.left[i] = c.left[len(c.left)-1]
		c.left = c.left[:len(c.left)-1]
		c.unattacked(r)
		if !c.direct(r) && !c.path(r) {
			c.eject(r)
		}
	}
	return true
}

// direct puts row r's queen on an unattacked cell of an unused column.
func (c *Completer) direct(r int) bool {
	w0 := c.random.below(c.words)
	for i := range c.words {
		w := w0 + i
		if w >= c.words {
			w -= c.words
		}
		if m := c.mask[w] &^ c.taken[w]; m != 0 {
			c.put(r, w<<6|bits.TrailingZeros64(m))
			return true
		}
	}
	return false
}

// path takes another queen's column for row r if that queen can move to an unused
// column.
func (c *Completer) path(r int) bool {
	start := c.random.below(c.n)
	for i := range c.words + 1 {
		w, m := fromPlace(start, i, c.words)
		for m &= c.mask[w] & c.taken[w] &^ c.pinned[w]; m != 0; m &= m - 1 {
			if c.shift(r, w<<6|bits.TrailingZeros64(m)) {
				return true
			}
		}
	}
	return false
}

// shift moves the queen of column col to an unattacked cell of its row in an unused
// column, and puts row r's queen on column col. It reports whether it could.
func (c *Completer) shift(r, col int) bool {
	other := int(c.row[col])
	free := c.free[other*c.words:]
	for w, taken := range c.taken {
		m := free[w] &^ taken
		if w == c.words-1 && c.n&63 != 0 {
			m &= 1<<(c.n&63) - 1
		}
		if m == 0 {
			continue
		}
		// The queen's own diagonals do not meet its row again, so it need not
		// be lifted first.
		m &^= window(c.diag, c.n-1-other+w<<6) | window(c.anti, other+w<<6)
		for ; m != 0; m &= m - 1 {
			to := w<<6 | bits.TrailingZeros64(m)
			if d := to - col; d == other-r || d == r-other {
				continue
			}
			c.lift(other, col)
			c.put(other, to)
			c.put(r, col)
			return true
		}
	}
	return false
}

// eject puts row r's queen on a cell and lifts the queens that it attacks: an
// unattacked cell of another queen's column if there is one, else any free cell that
// attacks no wanted queen. If there is no such cell the row stays without a queen.
func (c *Completer) eject(r int) {
	for w := range c.mask {
		c.mask[w] &^= c.pinned[w]
	}
	col := c.pick(c.mask)
	if col < 0 {
		copy(c.mask, c.free[r*c.words:(r+1)*c.words])
		for w, x := range c.pinned {
			for ; x != 0; x &= x - 1 {
				at := w<<6 | bits.TrailingZeros64(x)
				d := int(c.row[at]) - r
				for _, attacked := range [3]int{at, at - d, at + d} {
					if 0 <= attacked && attacked < c.n {
						c.mask.remove(attacked)
					}
				}
			}
		}
		col = c.pick(c.mask)
	}
	if col < 0 {
		c.stuck = true // the wanted queens leave this row no cell
		c.left = append(c.left, int32(r))
		return
	}
	if other := c.row[col]; other >= 0 {
		c.lift(int(other), col)
		c.left = append(c.left, other)
	}
	c.ejectDiagonals(r, col)
	c.put(r, col)
}

// ejectDiagonals lifts the queens on the two diagonals of a cell.
func (c *Completer) ejectDiagonals(r, col int) {
	onDiag, onAnti := c.diag.has(col-r+c.n-1), c.anti.has(r+col)
	if !onDiag && !onAnti {
		return
	}
	for other, at := range c.col {
		if at < 0 {
			continue
		}
		if d := int(at) - col; d == other-r || d == r-other {
			c.lift(other, int(at))
			c.left = append(c.left, int32(other))
		}
	}
}

// unattacked sets mask to the cells of row r that are free and not on any queen's
// diagonal, whether or not their columns are taken.
func (c *Completer) unattacked(r int) {
	free := c.free[r*c.words : (r+1)*c.words]
	for w := range c.mask {
		c.mask[w] = free[w] &^ (window(c.diag, c.n-1-r+w<<6) | window(c.anti, r+w<<6))
	}
}

// put puts a queen on an empty row and column.
func (c *Completer) put(r, col int) {
	c.col[r], c.row[col] = int32(col), int32(r)
	c.taken.add(col)
	c.diag.add(col - r + c.n - 1)
	c.anti.add(r + col)
}

// lift takes the queen of row r and column col off the board.
func (c *Completer) lift(r, col int) {
	c.col[r], c.row[col] = -1, -1
	c.taken.remove(col)
	c.diag.remove(col - r + c.n - 1)
	c.anti.remove(r + col)
}

// pick returns a random member of a set, or -1: the first from a random place on,
// which favours members after gaps. For supplying witnesses that is good enough.
func (c *Completer) pick(x bitset) int {
	start := c.random.below(c.n)
	w := start >> 6
	if m := x[w] &^ (1<<(start&63) - 1); m != 0 {
		return w<<6 | bits.TrailingZeros64(m)
	}
	for range c.words {
		if w++; w == c.words {
			w = 0
		}
		if m := x[w]; m != 0 {
			return w<<6 | bits.TrailingZeros64(m)
		}
	}
	return -1
}

// fromPlace returns the i-th word of a set of words when it is visited from a place on and
// round to it again, and the members of the word to visit: the first word is visited in two
// parts.
func fromPlace(start, i, words int) (word int, members uint64) {
	word, members = start>>6+i, ^uint64(0)
	switch i {
	case 0:
		members <<= start & 63
	case words:
		members = 1<<(start&63) - 1
	}
	if word >= words {
		word -= words
	}
	return word, members
}

// window returns the 64 bits of x from bit i on; x must have a word after that.
func window(x bitset, i int) uint64 {
	return x[i>>6]>>(i&63) | x[i>>6+1]<<(64-i&63)
}
