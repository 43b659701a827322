package bdd

import (
	"queens/backends/bdd/robdd"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

// level-wise: row-wise for any order. From the lowest level up, a node on the
// level's cell: low is the function so far, high the same without the cells below
// that a queen there attacks; and when a row or column is complete, that it has a
// queen.
//
// Ours. A conflict is looked at once, where both cells have just come into view, by
// an operation that only removes; the function never holds a level above the one it
// has come to.
func levelWise(c *conjoiner, start robdd.Node) robdd.Node {
	n := c.problem.N
	at := make([]board.Cell, n*n) // by level
	for i := range n * n {
		at[c.levels[i]] = board.At(n, i)
	}
	missing := map[board.Line]int{} // cells not yet in view
	f := robdd.True
	for level := n*n - 1; level >= 0; level-- {
		cell := at[level]
		v := encode.CellVar(n, cell)
		var lits []cnf.Lit
		for _, l := range c.attacked(cell) {
			if c.levels[l.Var()-1] > level {
				lits = append(lits, l)
			}
		}
		f = c.mk(v, f, c.and(f, c.cube(lits)))
		for _, line := range []board.Line{{Kind: board.Row, Index: cell.Row}, {Kind: board.Column, Index: cell.Col}} {
			if missing[line]++; missing[line] == n {
				f = c.and(f, c.occupied(line))
			}
		}
		c.step(cell.String(), f, start)
	}
	return c.step("placed and blocked cells", c.and(start, f))
}
