package bdd

import "queens/robdd"

// bddBenchmark builds by bdd-benchmark's construction. S(i,j) says that a queen is on row i, column j
// and every cell that it attacks is empty. R(i) = S(i,0) or S(i,1) or ... says that row i is right. The
// result is R(0) and R(1) and ... . It takes boards on which every row holds exactly one queen.
//
// This is the queens program of bdd-benchmark (Soelvsten and van de Pol, "BDD benchmark",
// https://github.com/SSoelvsten/bdd-benchmark), which compares BDD packages, after Kunkle, Slavici and Cooperman
// ("Parallel disk-based computation for large, monolithic binary decision diagrams", PASCO 2010). The upper rows
// alone leave the rest of the board open, so in the middle the diagram grows to many times the size of the result.
func bddBenchmark(c *conjoiner, f robdd.Func) robdd.Func {
	rows := c.rows()
	for _, line := range rows {
		row := robdd.False
		for _, l := range line.Lits {
			row = c.or(row, c.cube(append(c.attacked(l), l)))
		}
		f = c.step(line.Name, c.and(f, row))
	}
	return c.complete(f, rows)
}
