package local

import "queens/board"

// cellSet is a set of cells, each as column and row; nil when empty, so a board without blocked
// cells costs one comparison.
type cellSet map[[2]int32]struct{}

func newCellSet(cells []board.Cell) cellSet {
	if len(cells) == 0 {
		return nil
	}
	x := make(cellSet, len(cells))
	for _, c := range cells {
		x[[2]int32{int32(c.Col), int32(c.Row)}] = struct{}{}
	}
	return x
}

func (x cellSet) has(col int, row int32) bool { return x != nil && x.count(col, row) > 0 }

// count returns 1 for a member and 0 otherwise.
func (x cellSet) count(col int, row int32) int {
	if _, found := x[[2]int32{int32(col), row}]; found {
		return 1
	}
	return 0
}
