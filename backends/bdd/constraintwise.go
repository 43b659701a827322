package bdd

import (
	"slices"

	"queens/encode"
	"queens/robdd"
)

// constraintWise conjoins the constraints one after the other, starting with those whose first variable
// lies lowest in the order.
//
// It takes any problem. At each step the function is that of the constraints below some level, so it
// never has nodes for distinctions that only upper constraints make. (The bucket elimination of Dechter,
// "Bucket elimination: a unifying framework for reasoning", Artificial Intelligence 113, 1999, processes
// clauses in this order.)
func constraintWise(c *conjoiner, f robdd.Node) robdd.Node {
	top := func(rule encode.Constraint) int {
		top := len(c.levels)
		for _, l := range rule.Lits {
			top = min(top, c.levels[l.Var()-1])
		}
		return top
	}
	all := slices.Concat(c.groups...)
	slices.SortStableFunc(all, func(a, b encode.Constraint) int { return top(b) - top(a) })
	leave := leaving(c.problem, all)
	for i, rule := range all {
		f = c.step(rule.Name, c.without(c.and(f, c.bounded(rule.Bound, rule.Lits)), leave[i]))
	}
	return f
}
