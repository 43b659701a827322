package local

import (
	"slices"

	"queens/board"
)

// cellSet is a set of cells, sorted within each column; nil when empty, so a board
// without blocked cells costs one comparison. Memory is 4 bytes per column and 4 per
// cell, which suits a few cells on a huge board and whole diagonals on a small one.
type cellSet struct {
	first []int32 // rows of column c are rows[first[c]:first[c+1]]
	rows  []int32
}

func newCellSet(n int, cells []board.Cell) cellSet {
	if len(cells) == 0 {
		return cellSet{}
	}
	x := cellSet{first: make([]int32, n+1), rows: make([]int32, 0, len(cells))}
	sorted := slices.SortedFunc(slices.Values(cells), func(a, b board.Cell) int {
		if a.Col != b.Col {
			return a.Col - b.Col
		}
		return a.Row - b.Row
	})
	for _, c := range sorted {
		x.rows = append(x.rows, int32(c.Row))
		x.first[c.Col+1]++
	}
	for col := range n {
		x.first[col+1] += x.first[col]
	}
	return x
}

func (x cellSet) has(col int, row int32) bool {
	if x.first == nil {
		return false
	}
	_, found := slices.BinarySearch(x.rows[x.first[col]:x.first[col+1]], row)
	return found
}

// count returns 1 for a member and 0 otherwise.
func (x cellSet) count(col int, row int32) int {
	if x.has(col, row) {
		return 1
	}
	return 0
}
