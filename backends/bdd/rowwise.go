package bdd

import (
	"fmt"

	"queens/backends/bdd/robdd"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

// row-wise: from the last row up, B(r) = OR over the columns j of "a queen on (r,j),
// the rest of row r empty, and B(r+1) without the cells that (r,j) attacks".
//
// Each intermediate function looks at the lower rows only and already asks for a
// queen in each, so that no intermediate diagram is much larger than the result, as
// long as the order goes by rows.
func rowWise(c *conjoiner, start robdd.Node) robdd.Node {
	n := c.problem.N
	below := robdd.True // B(r+1)
	for r := n - 1; r >= 0; r-- {
		f := robdd.False
		for j := range n {
			at := board.Cell{Row: r, Col: j}
			lits := []cnf.Lit{encode.CellVar(n, at).Pos()}
			for _, l := range c.attacked(at) {
				if encode.VarCell(n, l.Var()).Row >= r {
					lits = append(lits, l)
				}
			}
			f = c.or(f, c.and(below, c.cube(lits)))
		}
		below = c.step(fmt.Sprintf("row %d", r+1), f, start)
	}
	return c.step("placed and blocked cells", c.and(start, below))
}
