package amo

import (
	"fmt"
	"strings"

	"queens/encode/cnf"
)

// Encoding is a way to say in clauses that at most one literal is true.
type Encoding struct {
	Name   string
	Source string // where the encoding was published
	// Encode adds the clauses for lits to f, and the auxiliary variables they
	// need. The literals are of different variables.
	Encode func(f *cnf.Formula, lits []cnf.Lit)
	// Size returns the number of clauses and of auxiliary variables that Encode
	// adds for k literals.
	Size func(k int) (clauses, auxiliary int)
}

// All returns the encodings: the one list. Under each of them, setting one literal
// true makes unit propagation set all others false.
func All() []Encoding {
	return []Encoding{Pairwise, Sequential, Ladder, Product, Commander, Bimander, Totalizer}
}

// Named returns an encoding by name; the error lists the names there are.
func Named(name string) (Encoding, error) {
	var names []string
	for _, e := range All() {
		if e.Name == name {
			return e, nil
		}
		names = append(names, e.Name)
	}
	return Encoding{}, fmt.Errorf("at-most-one encoding %q: expected one of %s", name, strings.Join(names, ", "))
}

// pairwiseLimit is the number of pairs up to which pairwise serves a CDCL solver
// best. Its clauses are binary and need no auxiliary variables, but beyond this
// they cost more to build and to keep than they save (docs/sat.md).
const pairwiseLimit = 400_000

// Default returns the encoding for a formula in which so many pairs of literals
// exclude each other: pairwise while that is small, then bimander, which adds the
// fewest variables.
func Default(pairs int) Encoding {
	if pairs <= pairwiseLimit {
		return Pairwise
	}
	return Bimander
}
