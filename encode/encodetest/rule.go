package encodetest

import (
	"math/rand/v2"

	"queens/encode"
	"queens/encode/cnf"
)

// Rule draws what a random constraint says of its literals.
func Rule(rng *rand.Rand) func(name string, lits ...cnf.Lit) encode.Constraint {
	return []func(string, ...cnf.Lit) encode.Constraint{encode.AtLeastOne, encode.AtMostOne, encode.ExactlyOne}[rng.IntN(3)]
}
