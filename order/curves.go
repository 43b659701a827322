package order

import (
	"math/bits"
	"slices"

	"queens/board"
)

var spiralIn = Named{
	Name:   "spiral-in",
	Reason: "round the rim and inward: the centre, which meets the longest diagonals, is decided last",
	cells:  spiral,
}

var spiralOut = Named{
	Name:   "spiral-out",
	Reason: "spiral-in backwards: the centre first, the rim, where diagonals are short, last",
	cells: func(n int) []board.Cell {
		cells := spiral(n)
		slices.Reverse(cells)
		return cells
	},
}

var hilbert = Named{
	Name:   "hilbert",
	Reason: "Hilbert's curve: cells close on the board stay close in the order, in both directions",
	cells:  sorted(func(n int, c board.Cell) key { return key{hilbertPlace(side(n), c)} }),
}

var zOrder = Named{
	Name:   "z-order",
	Reason: "row and column bits interleaved (Morton 1966): quadrant by quadrant, coarser than Hilbert's curve",
	cells:  sorted(func(_ int, c board.Cell) key { return key{morton(c)} }),
}

// spiral returns the cells from a1 along the rim, rightward first, and inward
// ring by ring.
func spiral(n int) []board.Cell {
	cells := make([]board.Cell, 0, n*n)
	for ring := range (n + 1) / 2 {
		last := n - 1 - ring
		if ring == last { // the centre of an odd board
			return append(cells, board.Cell{Row: ring, Col: ring})
		}
		for i := ring; i < last; i++ {
			cells = append(cells, board.Cell{Row: ring, Col: i})
		}
		for i := ring; i < last; i++ {
			cells = append(cells, board.Cell{Row: i, Col: last})
		}
		for i := last; i > ring; i-- {
			cells = append(cells, board.Cell{Row: last, Col: i})
		}
		for i := last; i > ring; i-- {
			cells = append(cells, board.Cell{Row: i, Col: ring})
		}
	}
	return cells
}

// side returns the smallest power of two that is at least n. The curves are
// defined on boards of such a size; on any other board the order follows the
// next larger curve and skips the cells off the board.
func side(n int) int { return 1 << bits.Len(uint(n-1)) }

// hilbertPlace returns the place of a cell on Hilbert's curve over a board whose size is a power of two.
// At each scale it adds the quadrant's position on the curve, and then applies the reflections that
// bring the quadrant's own curve upright.
func hilbertPlace(size int, c board.Cell) int {
	place := 0
	row, col := c.Row, c.Col
	for s := size / 2; s > 0; s /= 2 {
		top, right := row/s&1, col/s&1
		place += s * s * (3*right ^ top)
		row, col = row%s, col%s
		if top == 0 {
			if right == 1 {
				row, col = s-1-row, s-1-col
			}
			row, col = col, row
		}
	}
	return place
}

// morton interleaves the bits of row and column, the row's above the column's.
func morton(c board.Cell) int {
	place := 0
	for bit := range 16 {
		place |= (c.Col>>bit&1)<<(2*bit) | (c.Row>>bit&1)<<(2*bit+1)
	}
	return place
}
