package order

import (
	"cmp"
	"slices"

	"queens/board"
)

var named = []Named{
	{
		Name:   "row-major",
		Reason: "row by row: each row's exactly-one constraint is decided before the next begins",
		cells:  sorted(func(n int, a, b board.Cell) int { return cmp.Compare(a.Index(n), b.Index(n)) }),
	},
	{
		Name:   "column-major",
		Reason: "column by column: row-major mirrored, so the sizes must equal it, which checks both",
		cells: sorted(func(n int, a, b board.Cell) int {
			return cmp.Or(cmp.Compare(a.Col, b.Col), cmp.Compare(a.Row, b.Row))
		}),
	},
	{
		Name:   "diagonal-interleaved",
		Reason: "diagonals in turn, from the main one outward: neighbours on the long lines stay close, rows and columns interleave",
		cells: sorted(func(n int, a, b board.Cell) int {
			// 0, +1, -1, +2, -2, ...
			rank := func(c board.Cell) int {
				if d := c.Row - c.Col; d > 0 {
					return 2*d - 1
				} else {
					return -2 * d
				}
			}
			return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Row, b.Row))
		}),
	},
}

// sorted returns the cells of a board in the order of a comparison.
func sorted(compare func(n int, a, b board.Cell) int) func(n int) []board.Cell {
	return func(n int) []board.Cell {
		cells := make([]board.Cell, n*n)
		for i := range cells {
			cells[i] = board.At(n, i)
		}
		slices.SortFunc(cells, func(a, b board.Cell) int { return compare(n, a, b) })
		return cells
	}
}
