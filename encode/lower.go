package encode

import (
	"queens/encode/amo"
	"queens/encode/cnf"
)

// Pairs returns the number of pairs of literals that exclude each other, summed
// over the constraints.
func (p Problem) Pairs() int {
	pairs := 0
	for _, c := range p.Constraints {
		if c.Bound != AtLeastOne {
			pairs += len(c.Lits) * (len(c.Lits) - 1) / 2
		}
	}
	return pairs
}

// CNF lowers the problem to clauses: one clause for each at-least-one, the
// encoding's clauses for each at-most-one, and a unit clause for each fixed
// literal. The formula's models, projected to the problem's variables, are the
// solutions.
func (p Problem) CNF(e amo.Encoding) *cnf.Formula {
	f := &cnf.Formula{Vars: p.NumVars()}
	for _, c := range p.Constraints {
		if c.Bound != AtMostOne {
			f.Add(c.Lits...)
		}
		if c.Bound != AtLeastOne {
			e.Encode(f, c.Lits)
		}
	}
	for _, unit := range p.Fixed {
		f.Add(unit)
	}
	return f
}
