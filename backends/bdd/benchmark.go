package bdd

import (
	"fmt"

	"queens/backends/bdd/robdd"
	"queens/board"
	"queens/encode"
)

// bdd-benchmark: S(i,j) says that a queen stands on row i, column j and every cell
// that it attacks is empty; R(i) = S(i,0) or S(i,1) or ... says that row i is in
// order; and the result is R(0) and R(1) and ... .
//
// The queens program of bdd-benchmark (Soelvsten and van de Pol, "BDD benchmark",
// https://github.com/SSoelvsten/bdd-benchmark), by which BDD packages are compared,
// after Kunkle, Slavici and Cooperman ("Parallel disk-based computation for large,
// monolithic binary decision diagrams", PASCO 2010). The upper rows alone leave the
// rest of the board open, so that the diagram grows to many times the result in the
// middle.
func bddBenchmark(c *conjoiner, f robdd.Node) robdd.Node {
	n := c.problem.N
	for i := range n {
		row := robdd.False
		for j := range n {
			at := board.Cell{Row: i, Col: j}
			row = c.or(row, c.cube(append(c.attacked(at), encode.CellVar(n, at).Pos())))
		}
		f = c.step(fmt.Sprintf("row %d", i+1), c.and(f, row))
	}
	return f
}
