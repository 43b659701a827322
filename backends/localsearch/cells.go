package localsearch

import "queens/board"

// cellSet is a set of cells; nil when empty, so a board without blocked cells costs one comparison.
type cellSet map[board.Cell]bool

func (x cellSet) has(col int, row int32) bool {
	return x != nil && x[board.Cell{Row: int(row), Col: col}]
}

// count returns 1 for a member and 0 otherwise.
func (x cellSet) count(col int, row int32) int {
	if x.has(col, row) {
		return 1
	}
	return 0
}
