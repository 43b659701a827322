package order

import (
	"cmp"
	"slices"

	"queens/board"
)

var twoEnded = Named{
	Name:   "two-ended",
	Reason: "whole rows, from one end until half are taken, then from the other; most attacked cells first, then least",
	cells:  fromBothEnds,
}

// fromBothEnds takes whole rows: from the first on until more than half of them are
// taken, then from the last one back.
//
// What is left of the function below a set of rows is decided twice over: by the ways
// to fill the rows above, and by the ways to fill those that are left. While fewer
// than half are taken the first are fewer, and count: rows that lie together at an
// edge have the fewest fillings, since neighbours attack each other the most. Past
// the half the second count, and the fewest fillings are those of rows that lie
// together in the middle, where rows on both sides attack. So it is at the half, and
// not at a number that was fitted, that the rows are taken from the other end.
//
// The same turn decides the sequence within a row. While the diagram widens, its
// levels are the queens placed in this row so far: columns come first that the fewest
// placements can use, those that the rows above attack from the most cells. While it
// narrows, its levels are the queens still to be placed in this row: columns come first
// that the most could use. Ties go to the middle and to the edges, in the same sense.
func fromBothEnds(n int) []board.Cell {
	var taken []int
	cells := make([]board.Cell, 0, n*n)
	for len(taken) < n {
		row := len(taken)
		if 2*len(taken) > n {
			row = n + n/2 - len(taken)
		}
		widens := 2*len(taken) < n
		columns := make([]int, n)
		for c := range columns {
			columns[c] = c
		}
		slices.SortStableFunc(columns, func(a, b int) int {
			if !widens {
				a, b = b, a
			}
			return cmp.Or(cmp.Compare(attackers(n, taken, row, b), attackers(n, taken, row, a)),
				cmp.Compare(abs(2*a-(n-1)), abs(2*b-(n-1))))
		})
		for _, c := range columns {
			cells = append(cells, board.Cell{Row: row, Col: c})
		}
		taken = append(taken, row)
	}
	return cells
}

// attackers returns the number of cells in the rows taken that lie on a diagonal with a
// cell of another row.
func attackers(n int, taken []int, row, col int) int {
	count := 0
	for _, other := range taken {
		for _, c := range []int{col - (other - row), col + (other - row)} {
			if c >= 0 && c < n {
				count++
			}
		}
	}
	return count
}
