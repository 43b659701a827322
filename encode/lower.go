package encode

import (
	"queens/encode/amo"
	"queens/encode/cnf"
)

// Pairs returns the number of pairs of cells that share a line.
func (p Problem) Pairs() int {
	pairs := 0
	for _, c := range p.Constraints {
		pairs += len(c.Vars) * (len(c.Vars) - 1) / 2
	}
	return pairs
}

// CNF lowers the problem to clauses: a clause of positive literals for at least
// one, the encoding's clauses for at most one, a unit for each placed queen and
// blocked cell. Its models, projected to the cells, are the solutions.
func (p Problem) CNF(e amo.Encoding) *cnf.Formula {
	f := &cnf.Formula{Vars: p.NumCells()}
	lower(f, p.Constraints, e)
	for _, unit := range p.Units() {
		f.Add(unit)
	}
	return f
}

// lower adds the constraints' clauses to f.
func lower(f *cnf.Formula, constraints []Constraint, e amo.Encoding) {
	room := 0
	for _, c := range constraints {
		clauses, _ := e.Size(len(c.Vars))
		room += clauses + (len(c.Vars)+3)/3
	}
	f.Grow(room)
	for _, c := range constraints {
		c.encode(f, e)
	}
}

// encode adds the constraint's clauses to f.
func (c Constraint) encode(f *cnf.Formula, e amo.Encoding) {
	lits := make([]cnf.Lit, len(c.Vars))
	for i, v := range c.Vars {
		lits[i] = v.Pos()
	}
	if c.Bound != AtMostOne {
		f.Add(lits...)
	}
	if c.Bound != AtLeastOne {
		e.Encode(f, lits)
	}
}
