package bdd

import (
	"queens/encode/cnf"
	"queens/robdd"
)

// perCell conjoins, for each cell in turn, "a queen here leaves every cell that it attacks empty"; then
// a queen in each column.
//
// This is the construction that most people write first, after Andersen's lecture notes ("An
// introduction to binary decision diagrams", 1997, section 6.1). Nothing requires any queen until the
// columns are conjoined, so until then the diagram is that of all placements without a conflict, which
// is many times the size of the result.
func perCell(c *conjoiner, f robdd.Func) robdd.Func {
	columns := c.columns()
	return c.occupyBut(c.occupy(conflictsByCell(c, f), columns), columns)
}

// rowOr conjoins a queen in each row first, then the conflicts cell by cell.
//
// The student reports did this with JavaBDD. The rows are cheap, and every intermediate diagram contains
// only boards with a queen in each row. But the conflicts of early cells leave all later rows open.
func rowOr(c *conjoiner, f robdd.Func) robdd.Func {
	rows := c.rows()
	return c.occupyBut(conflictsByCell(c, c.occupy(f, rows)), rows)
}

// conflictsByCell conjoins one implication for each cell.
func conflictsByCell(c *conjoiner, f robdd.Func) robdd.Func {
	for v := cnf.Var(1); int(v) <= c.vars; v++ {
		rule := c.or(c.clause(v.Neg()), c.cube(c.attacked(v.Pos())))
		f = c.step(c.problem.VarName(v), c.and(f, rule))
	}
	return f
}
