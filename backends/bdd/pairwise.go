package bdd

import (
	"fmt"

	"queens/encode/cnf"
	"queens/robdd"
)

// pairwise conjoins one conflict at a time, "not both", for each pair of cells that attack each other;
// then a queen in each row and column.
//
// These are the clauses of the pairwise CNF, conjoined in their order, as a compiler from CNF does that
// knows nothing about boards. It takes one operation per pair, n(n-1)(5n-1)/3 in all, each on a diagram
// that changes little.
func pairwise(c *conjoiner, f robdd.Func) robdd.Func {
	for v := cnf.Var(1); int(v) <= c.vars; v++ {
		for _, other := range c.excludes(v.Pos()) {
			if other.Var() > v {
				name := fmt.Sprintf("%s-%s", c.problem.VarName(v), c.problem.VarName(other.Var()))
				f = c.step(name, c.and(f, c.clause(v.Neg(), other.Not())))
			}
		}
	}
	return c.occupyBut(f, nil)
}
