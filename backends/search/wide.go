package search

import (
	"context"
	"errors"
	"math/bits"
	"math/rand/v2"

	"queens/encode"
	"queens/encode/cnf"
)

// wide is the walk for boards of any size. Its state is the set of
// free cells, held by row and by column, with a trail of what was removed; going
// back is putting the trail's cells back.
type wide struct {
	problem  encode.Problem
	n, words int
	// Rows are lines 0 to n-1, columns n to 2n-1. A line's cells are words words
	// of free: bit c of row r, and bit r of column n+c, when (r, c) is free. A
	// line is open until it has a queen; a closed line's only cell is its queen's.
	free   []uint64
	count  []int32   // free cells of each line
	open   []uint64  // bit l for each open line l
	queens []int     // column of the queen of each closed row
	held   []cnf.Var // the queens of a solution
	placed []int     // rows closed, in the order they were

	trail   []int32 // cells removed, r*n + c, in the order they were
	touched []int32 // open lines that propagate has yet to look at
	waiting []bool  // which lines are in touched

	visited uint64 // queens placed: the machine-independent cost
	checked uint64 // visited when the context was last asked
	limit   uint64 // visited at which a walk gives up; 0 for never

	// rng, when not nil, turns each line's cells by a random amount before they
	// are tried; without it they are tried by rising index.
	rng *rand.Rand
}

// errLimit ends a walk that has placed as many queens as it was allowed.
var errLimit = errors.New("search: the walk's limit is reached")

func newWide(p encode.Problem) *wide {
	n := p.N
	words := (n + 63) / 64
	return &wide{
		problem: p, n: n, words: words,
		free:    make([]uint64, 2*n*words),
		count:   make([]int32, 2*n),
		open:    make([]uint64, (2*n+63)/64),
		queens:  make([]int, n),
		held:    make([]cnf.Var, n),
		waiting: make([]bool, 2*n),
	}
}

// line returns the free cells of a line.
func (t *wide) line(l int) []uint64 { return t.free[l*t.words : (l+1)*t.words] }

// start sets the state: every cell free, then blocked cells removed and queens
// placed, then what follows from that. It reports whether all lines survive.
func (t *wide) start(assume []cnf.Lit) bool {
	placed, blocked := cells(t.problem, assume)
	for l := range 2 * t.n {
		mask := t.line(l)
		for w := range mask {
			mask[w] = ^uint64(0)
		}
		if spare := t.n % 64; spare != 0 {
			mask[t.words-1] = 1<<spare - 1
		}
		t.count[l] = int32(t.n)
	}
	for w := range t.open {
		t.open[w] = ^uint64(0)
	}
	if spare := 2 * t.n % 64; spare != 0 {
		t.open[len(t.open)-1] = 1<<spare - 1
	}
	t.placed, t.trail = t.placed[:0], t.trail[:0]
	for l := range 2 * t.n {
		t.touch(l) // even an untouched line may be short, on a small board
	}
	for _, c := range blocked {
		t.remove(c.Row, c.Col)
	}
	for _, c := range placed {
		// A cell that is gone is blocked or attacked. A closed row's own queen
		// is still there: placed twice.
		if !hasBit(t.line(c.Row), c.Col) || !t.isOpen(c.Row) {
			t.settle()
			return false
		}
		t.place(c.Row, c.Col)
	}
	return t.propagate()
}

// remove takes a cell from its row and column, if it is free.
func (t *wide) remove(row, col int) {
	word := &t.free[row*t.words+col>>6]
	bit := uint64(1) << (col & 63)
	if *word&bit == 0 {
		return
	}
	*word &^= bit
	t.free[(t.n+col)*t.words+row>>6] &^= 1 << (row & 63)
	t.trail = append(t.trail, int32(row*t.n+col))
	for _, l := range [2]int{row, t.n + col} {
		if t.count[l]--; t.count[l] <= 3 {
			t.touch(l)
		}
	}
}

// touch has propagate look at a line.
func (t *wide) touch(l int) {
	if !t.waiting[l] {
		t.waiting[l] = true
		t.touched = append(t.touched, int32(l))
	}
}

// settle forgets the lines that propagate has yet to look at.
func (t *wide) settle() {
	for _, l := range t.touched {
		t.waiting[l] = false
	}
	t.touched = t.touched[:0]
}

// place puts a queen on a free cell of an open row, and removes what it attacks
// and the rest of its row and column.
func (t *wide) place(row, col int) {
	t.visited++
	t.queens[row] = col
	t.placed = append(t.placed, row)
	t.open[row>>6] &^= 1 << (row & 63)
	t.open[(t.n+col)>>6] &^= 1 << ((t.n + col) & 63)
	for w, word := range t.line(row) {
		for ; word != 0; word &= word - 1 {
			if other := w<<6 + bits.TrailingZeros64(word); other != col {
				t.remove(row, other)
			}
		}
	}
	for w, word := range t.open {
		for ; word != 0; word &= word - 1 {
			other := w<<6 + bits.TrailingZeros64(word)
			if other >= t.n {
				return
			}
			t.remove(other, col)
			d := other - row
			if left := col - d; left >= 0 && left < t.n {
				t.remove(other, left)
			}
			if right := col + d; right >= 0 && right < t.n {
				t.remove(other, right)
			}
		}
	}
}

// undo goes back to when the trail and the placed queens had these lengths.
func (t *wide) undo(trail, placed int) {
	for _, cell := range t.trail[trail:] {
		row, col := int(cell)/t.n, int(cell)%t.n
		t.free[row*t.words+col>>6] |= 1 << (col & 63)
		t.free[(t.n+col)*t.words+row>>6] |= 1 << (row & 63)
		t.count[row]++
		t.count[t.n+col]++
	}
	t.trail = t.trail[:trail]
	for _, row := range t.placed[placed:] {
		column := t.n + t.queens[row]
		t.open[row>>6] |= 1 << (row & 63)
		t.open[column>>6] |= 1 << (column & 63)
	}
	t.placed = t.placed[:placed]
}

func (t *wide) isOpen(l int) bool { return hasBit(t.open, l) }

// propagate does what follows from short lines until nothing more does: an open
// line without a free cell is a dead end, with one it gets its queen, and with
// two or three it loses nothing but takes from the board every cell that attacks
// them all, since a queen there would empty it.
func (t *wide) propagate() bool {
	for len(t.touched) > 0 {
		l := int(t.touched[len(t.touched)-1])
		t.touched = t.touched[:len(t.touched)-1]
		t.waiting[l] = false
		if !t.isOpen(l) {
			continue
		}
		switch t.count[l] {
		case 0:
			t.settle()
			return false
		case 1:
			at := nextBit(t.line(l), 0, t.n)
			if l < t.n {
				t.place(l, at)
			} else {
				t.place(at, l-t.n)
			}
		case 2:
			a := nextBit(t.line(l), 0, t.n)
			b := nextBit(t.line(l), a+1, t.n)
			t.removeAttackers(l, a, b, a)
		case 3:
			a := nextBit(t.line(l), 0, t.n)
			b := nextBit(t.line(l), a+1, t.n)
			c := nextBit(t.line(l), b+1, t.n)
			t.removeAttackers(l, a, b, c)
		}
	}
	return true
}

// removeAttackers removes the cells off line l that attack its cells a, b and c.
// Two cells of a line g apart are both attacked from six cells at most: the
// corners of the two squares on that side, and, when g is even, the squares'
// centres.
func (t *wide) removeAttackers(l, a, b, c int) {
	g := b - a
	for _, side := range [2]int{-1, 1} {
		t.removeAttacker(l, side*g, a, c)
		t.removeAttacker(l, side*g, b, c)
		if g%2 == 0 {
			t.removeAttacker(l, side*g/2, a+g/2, c)
		}
	}
}

// removeAttacker removes the cell at index i of the line away lines from l, if
// there is one and it attacks cell c of l.
func (t *wide) removeAttacker(l, away, i, c int) {
	if i != c && i-c != away && c-i != away {
		return
	}
	if l < t.n {
		if row := l + away; row >= 0 && row < t.n {
			t.remove(row, i)
		}
	} else if col := l - t.n + away; col >= 0 && col < t.n {
		t.remove(i, col)
	}
}

// shortest returns the open line with the fewest free cells, -1 when all are
// closed.
func (t *wide) shortest() int {
	best, fewest := -1, int32(t.n+1)
	for w, word := range t.open {
		for ; word != 0; word &= word - 1 {
			if l := w<<6 + bits.TrailingZeros64(word); t.count[l] < fewest {
				best, fewest = l, t.count[l]
			}
		}
	}
	return best
}

// walk implements walker. The cost of a walk in a fixed order is heavy-tailed on
// wide boards, so one solution is looked for with the cells turned at random
// under a limit that doubles (Gomes, Selman and Kautz, AAAI 1998): still
// complete, and with the same choices at each call.
func (t *wide) walk(ctx context.Context, all bool, found func(partial) bool) error {
	if all {
		_, err := t.below(ctx, found)
		return err
	}
	t.rng = rand.New(rand.NewPCG(uint64(t.n), 0))
	defer func() { t.rng, t.limit = nil, 0 }()
	for budget := uint64(16 * t.n); ; budget *= 2 {
		t.limit = t.visited + budget
		if _, err := t.below(ctx, found); err != errLimit {
			return err
		}
	}
}

func (t *wide) cost() uint64 { return t.visited }

// below visits every completion of the state, and reports whether to go on. At
// its end the state is as it was.
func (t *wide) below(ctx context.Context, found func(partial) bool) (more bool, err error) {
	if t.visited-t.checked >= 1<<12 {
		t.checked = t.visited
		if err := ctx.Err(); err != nil {
			return false, err
		}
	}
	if t.limit != 0 && t.visited >= t.limit {
		return false, errLimit
	}
	l := t.shortest()
	if l < 0 {
		for row, col := range t.queens {
			t.held[row] = cnf.Var(row*t.n + col + 1)
		}
		return found(partial{held: t.held}), nil
	}
	from := 0
	if t.rng != nil {
		from = t.rng.IntN(t.n)
	}
	trail, placed := len(t.trail), len(t.placed)
	for _, span := range [2][2]int{{from, t.n}, {0, from}} {
		for i := nextBit(t.line(l), span[0], span[1]); i < span[1]; i = nextBit(t.line(l), i+1, span[1]) {
			if l < t.n {
				t.place(l, i)
			} else {
				t.place(i, l-t.n)
			}
			more, err := true, error(nil)
			if t.propagate() {
				more, err = t.below(ctx, found)
			}
			t.undo(trail, placed)
			if !more || err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

func hasBit(mask []uint64, i int) bool { return mask[i>>6]>>(i&63)&1 == 1 }

// nextBit returns the first set bit of the mask from i on, or end.
func nextBit(mask []uint64, i, end int) int {
	for i < end {
		if word := mask[i>>6] >> (i & 63); word != 0 {
			return min(end, i+bits.TrailingZeros64(word))
		}
		i = (i>>6 + 1) << 6
	}
	return end
}
