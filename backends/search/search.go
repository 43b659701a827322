package search

import (
	"context"
	"errors"
	"math/bits"
	"math/rand/v2"

	"queens/board"
)

// errLimit ends a walk that has placed as many queens as it was allowed.
var errLimit = errors.New("search: the walk's limit is reached")

// node is the board before a choice: the free cells of every open row. Rows of
// placed queens are closed and hold nothing of use.
type node struct {
	rows []uint64 // words(n) words a row
	open []int    // rows without a queen
}

// tree is one walk over the completions of a placement.
type tree struct {
	n, words int
	stack    []node // stack[d] has d queens more than the start
	cols     []int  // column of the queen of each closed row
	visited  uint64 // queens placed by the walks: their machine-independent cost
	checked  uint64 // visited when the context was last asked
	limit    uint64 // visited at which the walk gives up; 0 for never

	// rng, when not nil, turns each row's columns by a random amount before they
	// are tried; without it they are tried from the left.
	rng *rand.Rand

	// Columns with a free cell in some open row, and in at least two of them,
	// of the node that choose looks at.
	ones, twos []uint64
}

func newTree(n int) *tree {
	words := (n + 63) / 64
	t := &tree{
		n: n, words: words,
		stack: make([]node, n+1),
		cols:  make([]int, n),
		ones:  make([]uint64, words),
		twos:  make([]uint64, words),
	}
	return t
}

// at returns the node of a depth, allocated when first reached.
func (t *tree) at(depth int) *node {
	nd := &t.stack[depth]
	if nd.rows == nil {
		nd.rows = make([]uint64, t.n*t.words)
		nd.open = make([]int, 0, t.n)
	}
	return nd
}

func (t *tree) row(nd *node, row int) []uint64 {
	return nd.rows[row*t.words : (row+1)*t.words]
}

// start sets the walk's first node: blocked cells cleared, queens placed. It
// reports whether the placement is consistent so far.
func (t *tree) start(placed, blocked []board.Cell) bool {
	root := t.at(0)
	root.open = root.open[:0]
	clear(root.rows)
	for row := range t.n {
		root.open = append(root.open, row)
		mask := t.row(root, row)
		for col := range t.n {
			mask[col/64] |= 1 << (col % 64)
		}
	}
	for _, c := range blocked {
		clearBit(t.row(root, c.Row), c.Col)
	}
	for i, c := range placed {
		for _, d := range placed[:i] {
			if c.Attacks(d) {
				return false
			}
		}
		if !hasBit(t.row(root, c.Row), c.Col) { // blocked, or placed twice
			return false
		}
		open := root.open[:0]
		for _, row := range root.open {
			if row != c.Row {
				open = append(open, row)
				t.attack(t.row(root, row), c, row)
			}
		}
		root.open = open
		t.cols[c.Row] = c.Col
	}
	return true
}

// attack clears the cells of one row that a queen on c attacks.
func (t *tree) attack(mask []uint64, c board.Cell, row int) {
	clearBit(mask, c.Col)
	d := row - c.Row
	if d < 0 {
		d = -d
	}
	if c.Col >= d {
		clearBit(mask, c.Col-d)
	}
	if c.Col+d < t.n {
		clearBit(mask, c.Col+d)
	}
}

// place fills the node below nd with a queen more and reports whether every row
// and column still has a free cell.
func (t *tree) place(depth int, c board.Cell) bool {
	nd, next := t.at(depth), t.at(depth+1)
	t.visited++
	next.open = next.open[:0]
	alive := true
	for _, row := range nd.open {
		if row == c.Row {
			continue
		}
		next.open = append(next.open, row)
		mask := t.row(next, row)
		copy(mask, t.row(nd, row))
		t.attack(mask, c, row)
		var any uint64
		for _, word := range mask {
			any |= word
		}
		if any == 0 {
			alive = false
			break
		}
	}
	t.cols[c.Row] = c.Col
	return alive
}

// choose picks the cells to try at a node: the cells of one row, or the single
// cell of a column. It returns the row and, when column is not negative, the
// only column to try. dead says that some line has no free cell.
func (t *tree) choose(nd *node) (row, column int, dead bool) {
	clear(t.ones)
	clear(t.twos)
	fewest := t.n + 1
	for _, r := range nd.open {
		count := 0
		for w, word := range t.row(nd, r) {
			count += bits.OnesCount64(word)
			t.twos[w] |= t.ones[w] & word
			t.ones[w] |= word
		}
		if count < fewest {
			fewest, row = count, r
		}
	}
	if fewest == 0 {
		return 0, 0, true
	}
	// As many columns as rows are open: one without a free cell shows as too few.
	columns, single := 0, -1
	for w, word := range t.ones {
		columns += bits.OnesCount64(word)
		if once := word &^ t.twos[w]; once != 0 && single < 0 {
			single = w*64 + bits.TrailingZeros64(once)
		}
	}
	if columns < len(nd.open) {
		return 0, 0, true
	}
	if fewest == 1 || single < 0 {
		return row, -1, false
	}
	for _, r := range nd.open {
		if hasBit(t.row(nd, r), single) {
			return r, single, false
		}
	}
	panic("search: a column's only free cell is in no open row")
}

// walk visits every completion below a node; cols holds it when found is called.
// It ends early when found returns false, at the limit with errLimit, or with
// the context's error.
func (t *tree) walk(ctx context.Context, depth int, found func() bool) (more bool, err error) {
	if t.visited-t.checked >= 1<<12 {
		t.checked = t.visited
		if err := ctx.Err(); err != nil {
			return false, err
		}
	}
	if t.limit != 0 && t.visited >= t.limit {
		return false, errLimit
	}
	nd := t.at(depth)
	if len(nd.open) == 0 {
		return found(), nil
	}
	row, column, dead := t.choose(nd)
	if dead {
		return true, nil
	}
	try := func(col int) (bool, error) {
		if !t.place(depth, board.Cell{Row: row, Col: col}) {
			return true, nil
		}
		return t.walk(ctx, depth+1, found)
	}
	if column >= 0 {
		return try(column)
	}
	from := 0
	if t.rng != nil {
		from = t.rng.IntN(t.n)
	}
	mask := t.row(nd, row)
	for _, span := range [2][2]int{{from, t.n}, {0, from}} {
		for col := nextBit(mask, span[0], span[1]); col < span[1]; col = nextBit(mask, col+1, span[1]) {
			if more, err := try(col); !more || err != nil {
				return more, err
			}
		}
	}
	return true, nil
}

// nextBit returns the first set bit of the mask from i on, or end.
func nextBit(mask []uint64, i, end int) int {
	for i < end {
		if word := mask[i/64] >> (i % 64); word != 0 {
			return min(end, i+bits.TrailingZeros64(word))
		}
		i = (i/64 + 1) * 64
	}
	return end
}

func hasBit(mask []uint64, i int) bool { return mask[i/64]>>(i%64)&1 == 1 }
func clearBit(mask []uint64, i int)    { mask[i/64] &^= 1 << (i % 64) }
