package amo

import (
	"fmt"
	"strings"
)

// All returns all encodings. Under each of them, unit propagation sets all other literals false once as many are true
// as may be: one, or k where the encoding counts to k.
func All() []Encoding {
	return []Encoding{Pairwise, Sequential, Ladder, Product, Commander, Bimander, Totalizer}
}

// Named returns an encoding by name; the error lists the valid names.
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

// pairwiseLimit is the number of pairs up to which pairwise suits a CDCL solver
// best. Its clauses are binary and need no auxiliary variables, but beyond this
// limit they cost more to build and keep than they save (docs/results/findings.md).
const pairwiseLimit = 400_000

// Default returns the encoding for a formula in which this many pairs of literals
// exclude each other: pairwise while the number is small, beyond that bimander,
// which adds the fewest variables.
func Default(pairs int) Encoding {
	if pairs <= pairwiseLimit {
		return Pairwise
	}
	return Bimander
}
