package bdd

import (
	"queens/backends/bdd/robdd"
	"queens/board"
	"queens/encode"
)

// per-cell: for each cell in turn, "a queen here leaves every cell that it attacks
// empty"; then a queen in each column.
//
// The construction that most people write first, after Andersen's lecture notes
// ("An introduction to binary decision diagrams", 1997, section 6.1). Until the
// last column nothing asks for a queen at all, so the diagram is that of all
// placements without a conflict, which is many times the result.
func perCell(c *conjoiner, f robdd.Node) robdd.Node {
	return c.occupyColumns(c.conflictsByCell(f))
}

// row-or: a queen in each row first, then the conflicts cell by cell.
//
// What the student reports did with JavaBDD. The rows come cheap, and every
// intermediate diagram counts only boards with a queen in each row; but conflicts
// of early cells leave all later rows open.
func rowOr(c *conjoiner, f robdd.Node) robdd.Node {
	return c.conflictsByCell(c.occupyRows(f))
}

// conflictsByCell conjoins one implication for each cell.
func (c *conjoiner) conflictsByCell(f robdd.Node) robdd.Node {
	n := c.problem.N
	for i := range n * n {
		at := board.At(n, i)
		rule := c.or(c.clause(encode.CellVar(n, at).Neg()), c.cube(c.attacked(at)))
		f = c.step(at.String(), c.and(f, rule))
	}
	return f
}
