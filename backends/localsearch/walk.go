package localsearch

import (
	"context"
	"math/bits"
	"slices"

	"queens/board"
)

// Walk finds solutions of one board by repairs, as witnesses for valid cells. It gives many answers
// fast. Queens never attack each other during a repair.
//
// [Walk.Complete] fills the board from scratch. Then it gives each row without a queen a vacant
// column, or the column of another queen that can move to a vacant one (an augmenting path of
// length two). If neither exists, it puts the queen on any cell and removes the queens that it
// attacks. That is not min-conflicts: the only defect of a board is that rows lack queens.
//
// [Walk.Show] moves from solution to solution, to put a queen on as many cells as it can. A step
// puts a queen on a wanted cell and removes the queens it attacks, at most
// four: on its row, its column and its two diagonals. Each row that has lost its queen is settled
// as above. Most steps on boards with room end there, with a solution that differs in three or
// four rows, after about 0.2 microseconds: less than scanning the board once. A step that cannot
// be completed is undone.
//
// It never proves that there is no solution. Like everything here, it is deterministic. Its memory
// is about 32n bytes.
type Walk struct {
	at       *board.Position
	n, words int
	free     bitset  // the position's free cells
	col, row []int32 // column of the row's queen and vice versa, -1 if there is none
	diag     bitset  // diagonals with a queen that is not the position's, by col-row+n-1
	anti     bitset  // anti-diagonals with such a queen, by row+col
	onDiag   []int32 // row of the queen on an occupied diagonal
	onAnti   []int32

	unseen   bitset // cells yet to be shown, in the layout of the position's free cells
	left     int    // cells in unseen
	symmetry []board.Symmetry

	// State of one step, or of one board to complete.
	moved  []move
	vacant []int32
	homes  []int32 // rows without a queen

	random uint64
	steps  int64
}

// move is the cell of a queen before the step.
type move struct{ row, col int32 }

// NewWalk returns a Walk on a position. The position's queens stay, and the walk puts others on its free
// cells; it uses p itself, not a copy. It completes a position sooner after Propagate and LookAhead.
func NewWalk(p *board.Position, seed uint64) *Walk {
	n := p.N
	return &Walk{
		at: p, n: n, words: p.Words, free: p.Free, col: make([]int32, n), row: make([]int32, n),
		diag: make(bitset, 2*p.Words+2), anti: make(bitset, 2*p.Words+2), // window reads a word ahead
		onDiag: make([]int32, 2*n), onAnti: make([]int32, 2*n),
		moved:  make([]move, 0, 12),
		vacant: make([]int32, 0, n), homes: make([]int32, 0, n),
		random: 88172645463325252 ^ seed*0x9E3779B97F4A7C15,
	}
}

// clear removes all queens but the position's.
func (w *Walk) clear() {
	for i := range w.col {
		w.col[i], w.row[i] = -1, -1
	}
	for row, col := range w.at.Cols {
		if col >= 0 {
			w.col[row], w.row[col] = col, int32(row)
		}
	}
	clear(w.diag)
	clear(w.anti)
}

// Solution returns the column of each row's queen in the solution reached, valid until the next
// step.
func (w *Walk) Solution() []int32 { return w.col }

// Steps returns the number of solutions reached so far.
func (w *Walk) Steps() int64 { return w.steps }

// Complete looks for a solution with queens on the wanted cells. False means that it found none, not that there is none:
// it makes at most the given number of repairs, and stops when the context ends.
//
// It restarts after 20 repairs plus one for every two open rows: small or crowded boards need the restarts,
// and on others about seven repairs suffice.
func (w *Walk) Complete(ctx context.Context, repairs int, want ...board.Cell) bool {
	for !w.at.Dead && repairs > 0 {
		if !w.fill(want) {
			return false
		}
		for spare := w.at.Open()/2 + 20; len(w.homes) > 0 && spare > 0 && repairs > 0; spare-- {
			if repairs--; repairs%64 == 0 && ctx.Err() != nil || !w.repair() {
				return false
			}
		}
		if len(w.homes) == 0 {
			w.steps++
			return true
		}
	}
	return false
}

// fill puts queens on the wanted cells, where they stay, and random queens on other rows that have a
// safe cell in a vacant column. It reports whether the wanted queens fit.
func (w *Walk) fill(want []board.Cell) bool {
	w.clear()
	w.moved, w.vacant, w.homes = w.moved[:0], w.vacant[:0], w.homes[:0]
	for _, q := range want {
		if w.col[q.Row] == int32(q.Col) {
			continue
		}
		if w.col[q.Row] >= 0 || w.row[q.Col] >= 0 || !w.isSafe(q.Row, q.Col) {
			return false
		}
		w.put(q.Row, q.Col)
		w.moved = append(w.moved, move{int32(q.Row), int32(q.Col)})
	}
	for i := range w.col {
		if w.col[i] < 0 {
			w.homes = append(w.homes, int32(i))
		}
		if w.row[i] < 0 {
			w.vacant = append(w.vacant, int32(i))
		}
	}
	w.shuffle(w.homes)
	w.shuffle(w.vacant)
	rest := w.homes[:0]
	for _, row := range w.homes {
		if !w.direct(int(row)) {
			rest = append(rest, row)
		}
	}
	w.homes = rest
	return true
}

// repair puts a queen on a random row without one. It returns false if the wanted queens leave
// that row no cell.
func (w *Walk) repair() bool {
	wanted := len(w.moved)
	i, last := w.below(len(w.homes)), len(w.homes)-1
	row := int(w.homes[i])
	w.homes[i] = w.homes[last]
	w.homes = w.homes[:last]
	done := w.settle(row) || w.eject(row)
	w.moved = w.moved[:wanted]
	return done
}

// eject puts a queen on row r and removes the queens that it attacks. It takes a cell that no queen
// attacks along a diagonal if there is one, else any free cell; in both cases one that attacks no
// queen that stays. It reports whether there is such a cell.
func (w *Walk) eject(r int) bool {
	start := w.below(w.n)
	for _, safe := range [2]bool{true, false} {
		for i := range w.words + 1 {
			word, m := fromPlace(start, i, w.words)
			if m &= w.free[r*w.words+word]; safe {
				m &= w.safe(r, word)
			}
			for ; m != 0; m &= m - 1 {
				c := word<<6 | bits.TrailingZeros64(m)
				attacked := w.attacked(r, c)
				if !slices.ContainsFunc(attacked[:], w.hasMoved) {
					for _, other := range attacked {
						if other >= 0 {
							w.homes, w.vacant = append(w.homes, other), append(w.vacant, w.col[other])
							w.remove(int(other))
						}
					}
					w.put(r, c)
					w.use(slices.Index(w.vacant, int32(c)))
					return true
				}
			}
		}
	}
	return false
}

// attacked returns the rows of the queens in the column and on the diagonals of a cell, -1 for none.
func (w *Walk) attacked(r, c int) [3]int32 {
	rows := [3]int32{w.row[c], -1, -1}
	if d := c - r + w.n - 1; w.diag.has(d) {
		rows[1] = w.onDiag[d]
	}
	if a := r + c; w.anti.has(a) {
		rows[2] = w.onAnti[a]
	}
	return rows
}

// Show walks from a solution of the position to others, and clears the cells of each from unseen,
// with their images under the symmetries. unseen is a subset of the position's free cells in the
// same layout; the symmetries must leave the question unchanged. Show ends when no cell is left,
// when several attempts at each remaining one have failed, or when the context ends.
func (w *Walk) Show(ctx context.Context, solution []int32, unseen []uint64, symmetries []board.Symmetry) {
	w.unseen, w.symmetry, w.left = unseen, symmetries, 0
	for _, word := range unseen {
		w.left += bits.OnesCount64(word)
	}
	w.clear()
	for row, col := range solution {
		if w.col[row] < 0 {
			w.put(row, int(col))
		}
		w.see(row, int(col))
	}
	// Cells that are attacked only along their row and column are cheap to reach, and
	// each step makes more cells cheap.
	for productive := true; productive && w.left > 0; {
		before := w.left
		w.sweep(ctx, true)
		productive = (before-w.left)*sweepYield > before
	}
	for attempt := 0; attempt < attempts && w.left > 0 && ctx.Err() == nil; attempt++ {
		w.sweep(ctx, false)
	}
}

const (
	sweepYield = 20 // cheap sweeps continue while each shows more than one in this many unseen cells
	attempts   = 12 // for each cell, cheap or not
)

// sweep tries to reach the unseen cells row by row.
func (w *Walk) sweep(ctx context.Context, cheap bool) {
	for r, fixed := range w.at.Cols {
		if r%64 == 63 && ctx.Err() != nil {
			return
		}
		if fixed >= 0 {
			continue
		}
		for i := range w.words {
			untried := ^uint64(0)
			for {
				m := w.unseen[r*w.words+i] & untried
				if cheap && m != 0 {
					m &= w.safe(r, i)
				}
				if m == 0 {
					break
				}
				untried &^= m & -m
				w.reach(r, i<<6|bits.TrailingZeros64(m))
			}
		}
	}
}

// reach steps to a solution with a queen on a free cell, and reports whether it
// could. If not, the solution is unchanged.
func (w *Walk) reach(r, c int) bool {
	if int(w.col[r]) == c {
		return true
	}
	w.moved, w.vacant, w.homes = w.moved[:0], w.vacant[:0], w.homes[:0]
	w.lift(r)
	for _, other := range w.attacked(r, c) {
		if other >= 0 {
			w.lift(int(other))
		}
	}
	for _, m := range w.moved {
		if int(m.col) != c {
			w.vacant = append(w.vacant, m.col)
		}
		if int(m.row) != r {
			w.homes = append(w.homes, m.row)
		}
	}
	w.put(r, c)
	for _, home := range w.homes {
		if !w.settle(int(home)) {
			w.undo()
			return false
		}
	}
	w.steps++
	for _, m := range w.moved {
		w.see(int(m.row), int(w.col[m.row]))
	}
	return true
}

// direct puts a queen on row r in the first vacant column where its cell is safe, and reports whether
// there is one.
func (w *Walk) direct(r int) bool {
	for i, c := range w.vacant {
		if c := int(c); w.isSafe(r, c) {
			w.put(r, c)
			w.use(i)
			return true
		}
	}
	return false
}

// settle puts a queen on row r in a vacant column, or in the column of a queen that
// has not moved in this step and can move to a vacant one. It reports whether it could.
func (w *Walk) settle(r int) bool {
	if w.direct(r) {
		return true
	}
	start := w.below(w.n)
	for i := range w.words + 1 {
		word, m := fromPlace(start, i, w.words)
		for m &= w.safe(r, word); m != 0; m &= m - 1 {
			c := word<<6 | bits.TrailingZeros64(m)
			other := int(w.row[c])
			if other < 0 {
				continue
			}
			for i, to := range w.vacant {
				// The other queen's own diagonals do not meet its row again,
				// but row r's new ones may.
				if d := int(to) - c; w.isSafe(other, int(to)) && d != other-r && d != r-other &&
					!w.hasMoved(int32(other)) {
					w.lift(other)
					w.put(r, c)
					w.put(other, int(to))
					w.use(i)
					return true
				}
			}
		}
	}
	return false
}

// use removes the i-th vacant column.
func (w *Walk) use(i int) {
	last := len(w.vacant) - 1
	w.vacant[i] = w.vacant[last]
	w.vacant = w.vacant[:last]
}

// undo puts the queens back where they were before the step.
func (w *Walk) undo() {
	for _, m := range w.moved {
		if w.col[m.row] >= 0 {
			w.remove(int(m.row))
		}
	}
	for _, m := range w.moved {
		w.put(int(m.row), int(m.col))
	}
}

// hasMoved reports whether the row's queen was lifted in this step. No queen is
// lifted twice, so that undo is simple.
func (w *Walk) hasMoved(r int32) bool {
	for _, m := range w.moved {
		if m.row == r {
			return true
		}
	}
	return false
}

// see clears a cell and its images from the unseen ones.
func (w *Walk) see(r, c int) {
	if !w.unseen[r*w.words:].has(c) {
		return
	}
	w.unseen[r*w.words:].remove(c)
	w.left--
	for _, s := range w.symmetry {
		if r, c := s.Of(w.n, r, c); w.unseen[r*w.words:].has(c) {
			w.unseen[r*w.words:].remove(c)
			w.left--
		}
	}
}

// safe returns 64 cells of row r, from column 64*i on, that are free and not on any
// queen's diagonal, whether or not their columns are taken.
func (w *Walk) safe(r, i int) uint64 {
	return w.free[r*w.words+i] &^ (window(w.diag, w.n-1-r+i<<6) | window(w.anti, r+i<<6))
}

// isSafe is safe for one cell. It checks the condition most likely to fail first.
func (w *Walk) isSafe(r, c int) bool {
	return !w.diag.has(c-r+w.n-1) && !w.anti.has(r+c) && w.isFree(r, c)
}

func (w *Walk) isFree(r, c int) bool { return w.free[r*w.words+c>>6]>>(c&63)&1 != 0 }

// put puts a queen on an empty row and column.
func (w *Walk) put(r, c int) {
	w.col[r], w.row[c] = int32(c), int32(r)
	d, a := c-r+w.n-1, r+c
	w.diag.add(d)
	w.anti.add(a)
	w.onDiag[d], w.onAnti[a] = int32(r), int32(r)
}

// lift records the cell of the row's queen and takes it off the board.
func (w *Walk) lift(r int) {
	w.moved = append(w.moved, move{int32(r), w.col[r]})
	w.remove(r)
}

func (w *Walk) remove(r int) {
	c := int(w.col[r])
	w.col[r], w.row[c] = -1, -1
	w.diag.remove(c - r + w.n - 1)
	w.anti.remove(r + c)
}

func (w *Walk) shuffle(list []int32) {
	for i := range list {
		k := i + w.below(len(list)-i)
		list[i], list[k] = list[k], list[i]
	}
}

// below returns a number in [0, k) from a xorshift generator (Marsaglia 2003): a step
// is too short for a better one.
func (w *Walk) below(k int) int {
	w.random ^= w.random << 13
	w.random ^= w.random >> 7
	w.random ^= w.random << 17
	return int(w.random >> 32 * uint64(k) >> 32)
}

// fromPlace returns the i-th word of a cyclic visit of a bit set that starts at bit start, and a mask
// of the word's bits to visit. The first word is visited in two parts, at the start and at the end.
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
