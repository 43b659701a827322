package encode

import (
	"fmt"

	"queens/board"
)

// amazons: queens that also attack as knights do. OEIS A051223.
func amazons(n int) Problem {
	p := newBoard("amazons", n, queensCounts)
	for i := range n * n {
		from := board.At(n, i)
		for _, step := range []board.Cell{{Row: 1, Col: -2}, {Row: 1, Col: 2}, {Row: 2, Col: -1}, {Row: 2, Col: 1}} {
			to := board.Cell{Row: from.Row + step.Row, Col: from.Col + step.Col}
			if to.On(n) {
				p.Constraints = append(p.Constraints, AtMostOne(fmt.Sprintf("knight's move %s-%s", from, to),
					Literals(n, []board.Cell{from, to}, true)...))
			}
		}
	}
	return p
}
