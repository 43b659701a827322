package encode

import (
	"fmt"

	"queens/board"
)

// leastDominating holds, from n = 1 on, how few queens occupy or attack every cell: OEIS A075458.
var leastDominating = [...]int{1, 1, 1, 2, 3, 3, 4, 5, 5, 5, 5, 6, 7, 8, 9, 9, 9, 9, 10, 11, 11, 12, 12, 13, 13}

// dominating: as few queens as can occupy or attack every cell do so. They may attack each other. OEIS A002564.
func dominating(n int) Problem {
	p := newBoard("dominating", n, nil)
	var all []board.Cell
	for i := range n * n {
		all = append(all, board.At(n, i))
	}
	queens := leastDominating[n-1]
	p.Constraints = append(p.Constraints, Constraint{
		Name: "the board", Least: queens, Most: queens, Lits: Literals(n, all, true),
	})
	for _, cell := range all {
		var covering []board.Cell
		for _, queen := range all {
			if queen == cell || queen.Attacks(cell) {
				covering = append(covering, queen)
			}
		}
		p.Constraints = append(p.Constraints, AtLeastOne(fmt.Sprintf("a queen on or towards %s", cell), Literals(n, covering, true)...))
	}
	return p
}
