package bdd

import (
	"queens/backends/bdd/robdd"
	"queens/board"
	"queens/encode"
)

// pairwise: one conflict at a time, "not both", for each pair of cells that attack
// each other; then a queen in each row and column.
//
// The clauses of the pairwise CNF, conjoined in their order: what a compiler from
// CNF does that knows nothing of boards. It takes as many operations as there are
// pairs, n(n-1)(5n-1)/3, each on a diagram that changes little.
func pairwise(c *conjoiner, f robdd.Node) robdd.Node {
	n := c.problem.N
	for i := range n * n {
		for j := i + 1; j < n*n; j++ {
			if a, b := board.At(n, i), board.At(n, j); a.Attacks(b) {
				rule := c.clause(encode.CellVar(n, a).Neg(), encode.CellVar(n, b).Neg())
				f = c.step(a.String()+"-"+b.String(), c.and(f, rule))
			}
		}
	}
	return c.occupyColumns(c.occupyRows(f))
}
