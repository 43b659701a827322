package encode

import (
	"fmt"
	"strings"

	"queens/encode/cnf"
)

// AMO is a way to say in clauses that at most one literal is true.
type AMO struct {
	Name   string
	Source string // where the encoding was published
	// Encode adds the clauses for lits to f, and the auxiliary variables they
	// need. The literals are of different variables.
	Encode func(f *cnf.Formula, lits []cnf.Lit)
	// Size returns the number of clauses and of auxiliary variables that Encode
	// adds for k literals.
	Size func(k int) (clauses, auxiliary int)
}

// AMOs returns the at-most-one encodings. Under each of them, setting one
// literal true makes unit propagation set all others false.
func AMOs() []AMO {
	return []AMO{Pairwise, Sequential, Ladder, Product, Commander, Bimander, Totalizer}
}

// AMONamed returns an encoding by name; the error lists the names there are.
func AMONamed(name string) (AMO, error) {
	var names []string
	for _, amo := range AMOs() {
		if amo.Name == name {
			return amo, nil
		}
		names = append(names, amo.Name)
	}
	return AMO{}, fmt.Errorf("at-most-one encoding %q: expected one of %s", name, strings.Join(names, ", "))
}

// pairwiseLimit is the number of attacking pairs up to which pairwise serves a CDCL
// solver best. Its clauses are binary and need no auxiliary variables, but beyond
// this they cost more to build and to keep than they save (docs/sat.md).
const pairwiseLimit = 400_000

// DefaultAMO returns the encoding for a formula with so many pairs of cells that
// attack each other: pairwise while that is small, then bimander, which adds the
// fewest variables.
func DefaultAMO(pairs int) AMO {
	if pairs <= pairwiseLimit {
		return Pairwise
	}
	return Bimander
}

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
func (p Problem) CNF(amo AMO) *cnf.Formula {
	f := &cnf.Formula{Vars: p.NumCells()}
	lower(f, p.Constraints, amo)
	for _, unit := range p.Units() {
		f.Add(unit)
	}
	return f
}

// lower adds the constraints' clauses to f.
func lower(f *cnf.Formula, constraints []Constraint, amo AMO) {
	room := 0
	for _, c := range constraints {
		clauses, _ := amo.Size(len(c.Vars))
		room += clauses + (len(c.Vars)+3)/3
	}
	f.Grow(room)
	for _, c := range constraints {
		c.encode(f, amo)
	}
}

// encode adds the constraint's clauses to f.
func (c Constraint) encode(f *cnf.Formula, amo AMO) {
	lits := make([]cnf.Lit, len(c.Vars))
	for i, v := range c.Vars {
		lits[i] = v.Pos()
	}
	if c.Bound != AtMostOne {
		f.Add(lits...)
	}
	if c.Bound != AtLeastOne {
		amo.Encode(f, lits)
	}
}
