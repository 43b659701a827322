package threshold

import (
	"cmp"
	"math/bits"
	"slices"

	"queens/board"
)

// cells numbers the cells of a board class by class. A class is the set of images of a cell under the symmetries of the
// square. Classes far from the centre come first: proofs take a quarter less time than in the opposite order.
type cells struct {
	n, words int
	cell     []board.Cell
	number   []int    // by row-major index: the cell's number
	class    []int    // by cell: its class
	first    []int    // by class: its first cell, which represents it; then the number of cells
	peers    []set    // by cell: the later cells that it does not attack
	image    [8][]int // by symmetry and cell: the cell's image
}

// set is a set of cells, with a bit for each cell number.
type set []uint64

func (s set) add(c int)      { s[c>>6] |= 1 << (c & 63) }
func (s set) has(c int) bool { return s[c>>6]>>(c&63)&1 != 0 }

func (s set) size() (size int) {
	for _, word := range s {
		size += bits.OnesCount64(word)
	}
	return size
}

func (s set) empty() bool {
	for _, word := range s {
		if word != 0 {
			return false
		}
	}
	return true
}

// intersect makes s the intersection of a and b.
func (s set) intersect(a, b set) {
	for w := range s {
		s[w] = a[w] & b[w]
	}
}

func newCells(n int) *cells {
	g := &cells{n: n, words: (n*n + 63) / 64, number: make([]int, n*n)}
	var classes [][]board.Cell
	for i := range n * n {
		if class := images(n, board.At(n, i)); class[0].Index(n) == i {
			classes = append(classes, class)
		}
	}
	away := func(c board.Cell) int {
		row, col := 2*c.Row-n+1, 2*c.Col-n+1
		return row*row + col*col
	}
	slices.SortStableFunc(classes, func(a, b []board.Cell) int { return cmp.Compare(away(b[0]), away(a[0])) })
	for i, class := range classes {
		g.first = append(g.first, len(g.cell))
		for _, c := range class {
			g.number[c.Index(n)] = len(g.cell)
			g.cell, g.class = append(g.cell, c), append(g.class, i)
		}
	}
	g.first = append(g.first, n*n)
	for c, at := range g.cell {
		peers := make(set, g.words)
		for d := c + 1; d < n*n; d++ {
			if !at.Attacks(g.cell[d]) {
				peers.add(d)
			}
		}
		g.peers = append(g.peers, peers)
		for s := range g.image {
			row, col := board.Symmetry(s).Of(n, at.Row, at.Col)
			g.image[s] = append(g.image[s], g.number[row*n+col])
		}
	}
	return g
}

// images returns a cell's images under the symmetries, each once, in row-major order.
func images(n int, c board.Cell) (class []board.Cell) {
	for _, s := range board.Symmetries() {
		row, col := s.Of(n, c.Row, c.Col)
		class = append(class, board.Cell{Row: row, Col: col})
	}
	slices.SortFunc(class, func(a, b board.Cell) int { return cmp.Compare(a.Index(n), b.Index(n)) })
	return slices.Compact(class)
}
