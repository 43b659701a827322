package encode

import (
	"fmt"

	"queens/board"
)

// toroidal: queens on a board whose opposite edges meet, so every diagonal has n
// cells. OEIS A007705.
func toroidal(n int) Problem {
	p := rooks(n)
	p.Family = "toroidal"
	if n == 1 {
		return p
	}
	for _, slope := range []int{1, -1} {
		for start := range n {
			cells := make([]board.Cell, n)
			for row := range cells {
				cells[row] = board.Cell{Row: row, Col: ((start+slope*row)%n + n) % n}
			}
			name := fmt.Sprintf("diagonal from %s", cells[0])
			if slope < 0 {
				name = fmt.Sprintf("anti-diagonal from %s", cells[0])
			}
			p.Constraints = append(p.Constraints, AtMostOne(name, Literals(n, cells, true)...))
		}
	}
	return p
}
