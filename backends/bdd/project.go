package bdd

import (
	"queens/encode"
	"queens/encode/cnf"
)

// Auxiliary variables are quantified away: the diagram represents the projected function, so every answer
// is about projected solutions. constraint-wise does so as soon as the last constraint with the
// variable has been conjoined (early quantification: Burch, Clarke and Long, Symbolic model
// checking with partitioned transition relations, VLSI 1991), every other construction at the
// end. It costs two cofactors and a disjunction for each. The alternative, to let the auxiliary
// variables lie below all others and to count their nodes once, needs no operation but keeps apart
// what only they distinguish. Both cost more than resolving most of these variables away before building: queens n = 8 with the sequential encoding, 3,213,233 nodes created by
// quantification in natural order, are 2,824 without them.

// leaving returns the auxiliary variables by the last of some constraints that has them, by index.
func leaving(p encode.Problem, all []encode.Constraint) map[int][]cnf.Var {
	last := make(map[cnf.Var]int)
	for i, c := range all {
		for _, l := range c.Lits {
			if int(l.Var()) > p.NumVars() {
				last[l.Var()] = i
			}
		}
	}
	at := make(map[int][]cnf.Var)
	for v := cnf.Var(p.NumVars() + 1); int(v) <= p.AllVars(); v++ {
		if i, has := last[v]; has {
			at[i] = append(at[i], v)
		}
	}
	return at
}
