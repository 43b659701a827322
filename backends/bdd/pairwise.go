package bdd

import (
	"fmt"
	"slices"

	"queens/backends/bdd/robdd"
)

// pairwise: one conflict at a time, "not both", for each pair of cells that attack
// each other; then a queen in each row and column.
//
// These are the clauses of the pairwise CNF, conjoined in their order, as by a
// compiler from CNF that knows nothing about boards. It takes one operation per pair,
// n(n-1)(5n-1)/3 in all, each on a diagram that changes little.
func pairwise(c *conjoiner, f robdd.Node) robdd.Node {
	for i, a := range c.literals {
		for _, b := range c.literals[i+1:] {
			if slices.Contains(c.excludes(a), b) {
				name := fmt.Sprintf("%s-%s", c.problem.VarName(a.Var()), c.problem.VarName(b.Var()))
				f = c.step(name, c.and(f, c.clause(a.Not(), b.Not())))
			}
		}
	}
	return c.occupyBut(f, nil)
}
