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

// fromBothEnds takes whole rows: from the first row on until more than half of them are taken, then from
// the last row back.
//
// Two numbers bound the cofactors below a set of rows: the ways to fill the rows above, and the ways to
// fill the rows that are left. While fewer than half of the rows are taken, the first number is smaller
// and decides: adjacent rows at an edge have the fewest fillings, since neighbours attack each other the
// most. Past the half the second number decides. The remaining rows have the fewest fillings if they lie
// together in the middle, where rows on both sides attack them. That is why the change to the other end
// comes at the half, and not at a fitted number.
//
// The same turning point decides the sequence within a row. While the diagram widens, the width of a
// level depends on the queens placed in this row so far. So the columns that the fewest placements can
// use come first: those that the rows above attack from the most cells. While the diagram narrows, the
// width depends on the queens still to be placed in this row, so the columns that the most placements
// can use come first. Ties go to the middle while it widens, and to the edges while it narrows.
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

// attackers returns the number of cells in the taken rows that share a diagonal with the given cell.
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
