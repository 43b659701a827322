package local

import (
	"context"
	"math/bits"

	"queens/board"
)

// Walk moves from solution to solution of one board by small repairs, to show as many
// cells as it can with a queen in some solution.
//
// A step puts a queen on a wanted cell and removes the queens it attacks, at most
// four: on its row, its column and its two diagonals. Each row that has lost its
// queen then gets a column that became vacant, or the column of another queen that
// can move to a vacant one. Most steps on boards with room end there, with a solution
// that differs in three or four rows, for about 0.2 microseconds: less than scanning
// the board once. A step that cannot be completed is undone.
//
// It finds solutions and never refutes. Like everything here, it is deterministic.
type Walk struct {
	n, words int
	free     bitset  // words of 64 columns for each row: cells that may hold a queen
	col, row []int32 // column of the row's queen and vice versa; -1 for closed rows and columns
	diag     bitset  // occupied diagonals, by col-row+n-1
	anti     bitset  // occupied anti-diagonals, by row+col
	onDiag   []int32 // row of the queen on an occupied diagonal
	onAnti   []int32

	unseen   bitset // as free: the cells yet to be shown
	left     int    // cells in unseen
	symmetry []board.Symmetry

	// Of one step.
	moved  []move
	vacant []int32
	homes  []int32 // rows that look for a column

	random uint64
	steps  int64
}

// move is the cell of a queen before the step.
type move struct{ row, col int32 }

// NewWalk returns a Walk on a board of size n that starts at a solution. free holds,
// in ceil(n/64) words for each row, the cells that may hold a queen; they must not be
// attacked from closed rows. cols holds the column of each open row's queen in the
// solution, -1 for closed rows; the solution is trusted.
func NewWalk(n int, free []uint64, cols []int32) *Walk {
	words := (n + 63) / 64
	w := &Walk{
		n: n, words: words, free: free,
		col: make([]int32, n), row: make([]int32, n),
		diag: make(bitset, 2*words+2), anti: make(bitset, 2*words+2), // window reads a word ahead
		onDiag: make([]int32, 2*n), onAnti: make([]int32, 2*n),
		moved: make([]move, 0, 12), vacant: make([]int32, 0, 4), homes: make([]int32, 0, 4),
		random: 88172645463325252,
	}
	for i := range n {
		w.col[i], w.row[i] = -1, -1
	}
	for r, c := range cols {
		if c >= 0 {
			w.put(r, int(c))
		}
	}
	return w
}

// Columns returns the column of each open row's queen, -1 for closed rows: the walk's
// current solution, valid until the next step.
func (w *Walk) Columns() []int32 { return w.col }

// Steps returns the number of solutions reached so far.
func (w *Walk) Steps() int64 { return w.steps }

// Show walks to clear the cells of unseen, a subset of free with the same layout:
// every cell of a solution on the way is cleared, with its images under the
// symmetries, which must leave the question unchanged. It ends when no cell is left,
// when each remaining one has resisted several attempts, or when the context ends.
func (w *Walk) Show(ctx context.Context, unseen []uint64, symmetries []board.Symmetry) {
	w.unseen, w.symmetry, w.left = unseen, symmetries, 0
	for _, word := range unseen {
		w.left += bits.OnesCount64(word)
	}
	for r, c := range w.col {
		if c >= 0 {
			w.see(r, int(c))
		}
	}
	// Cells that are attacked only along their row and column are cheap to reach, and
	// each step makes other cells cheap.
	for productive := true; productive && w.left > 0; {
		before := w.left
		w.sweep(ctx, true)
		productive = (before-w.left)*sweepYield > before
	}
	for attempt := 0; attempt < attempts && w.left > 0; attempt++ {
		before := w.left
		if w.sweep(ctx, false); ctx.Err() != nil {
			return
		}
		if w.left == before {
			w.stir()
		}
	}
}

const (
	sweepYield = 20 // a sweep over cheap cells must show at least one in this many
	attempts   = 12 // for each cell, cheap or not
)

// sweep tries to reach the unseen cells row by row.
func (w *Walk) sweep(ctx context.Context, cheap bool) {
	for r, at := range w.col {
		if r%64 == 63 && ctx.Err() != nil {
			return
		}
		if at < 0 {
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

// stir takes some random steps, so that the next attempts start elsewhere.
func (w *Walk) stir() {
	for range w.n / 2 {
		r, c := w.below(w.n), w.below(w.n)
		if w.free[r*w.words:].has(c) && w.col[r] >= 0 {
			w.reach(r, c)
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
	w.lift(int(w.row[c]))
	if d := c - r + w.n - 1; w.diag.has(d) {
		w.lift(int(w.onDiag[d]))
	}
	if a := r + c; w.anti.has(a) {
		w.lift(int(w.onAnti[a]))
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

// settle gives row r a vacant column, or the column of a queen that has not moved in
// this step and can move to a vacant one. Columns of unseen cells come first.
func (w *Walk) settle(r int) bool {
	for i, c := range w.vacant {
		if w.isSafe(r, int(c)) {
			w.put(r, int(c))
			w.fill(i)
			return true
		}
	}
	start := w.below(w.n)
	for _, unseen := range [2]bool{true, false} {
		for i := range w.words + 1 {
			word, m := fromPlace(start, i, w.words)
			if unseen {
				m &= w.unseen[r*w.words+word]
			} else {
				m &^= w.unseen[r*w.words+word]
			}
			if m == 0 {
				continue
			}
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
						!w.hasMoved(other) {
						w.lift(other)
						w.put(r, c)
						w.put(other, int(to))
						w.fill(i)
						return true
					}
				}
			}
		}
	}
	return false
}

// fill removes a column from the vacant ones.
func (w *Walk) fill(i int) {
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
func (w *Walk) hasMoved(r int) bool {
	for _, m := range w.moved {
		if int(m.row) == r {
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

// isSafe is safe for one cell. The condition likeliest to fail is checked first.
func (w *Walk) isSafe(r, c int) bool {
	return !w.diag.has(c-r+w.n-1) && !w.anti.has(r+c) && w.free[r*w.words+c>>6]>>(c&63)&1 != 0
}

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

// below returns a number in [0, k) from a xorshift generator (Marsaglia 2003): a step
// is too short for a better one.
func (w *Walk) below(k int) int {
	w.random ^= w.random << 13
	w.random ^= w.random >> 7
	w.random ^= w.random << 17
	return int(w.random >> 32 * uint64(k) >> 32)
}
