package encode

import (
	"fmt"

	"queens/board"
)

// noThreeInLine: 2 n points on a board of n x n, so two in each row and column, and no three on any line of
// whatever slope. OEIS A000755.
func noThreeInLine(n int) Problem {
	p := newBoard("no-three-in-line", n, map[board.LineKind]count{board.Row: {2, 2}, board.Column: {2, 2}})
	for down := 1; 2*down < n; down++ { // three points of a line take two steps
		for right := 1 - n; right < n; right++ {
			if right == 0 || gcd(int64(down), int64(max(right, -right))) > 1 {
				continue // a line with smaller steps has these points, too
			}
			for i := range n * n {
				from := board.At(n, i)
				if (board.Cell{Row: from.Row - down, Col: from.Col - right}).On(n) {
					continue // it is not the line's first point
				}
				var line []board.Cell
				for c := from; c.On(n); c = (board.Cell{Row: c.Row + down, Col: c.Col + right}) {
					line = append(line, c)
				}
				if len(line) > 2 {
					name := fmt.Sprintf("line from %s to %s", from, line[len(line)-1])
					p.Constraints = append(p.Constraints, Constraint{Name: name, Most: 2, Lits: Literals(n, line, true)})
				}
			}
		}
	}
	return p
}
