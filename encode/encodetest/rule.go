package encodetest

import (
	"math/rand/v2"

	"queens/encode"
	"queens/encode/cnf"
)

// Rule draws what a random constraint says of its literals: at least, at most or exactly one is true or, one
// time in three, any other number, which may be impossible or say nothing.
func Rule(rng *rand.Rand) func(name string, lits ...cnf.Lit) encode.Constraint {
	if rng.IntN(3) == 0 {
		return func(name string, lits ...cnf.Lit) encode.Constraint {
			least, most := rng.IntN(len(lits)+1), rng.IntN(len(lits)+2)
			if rng.IntN(8) > 0 {
				least, most = min(least, most), max(least, most)
			}
			return encode.Constraint{Name: name, Least: least, Most: most, Lits: lits}
		}
	}
	return []func(string, ...cnf.Lit) encode.Constraint{encode.AtLeastOne, encode.AtMostOne, encode.ExactlyOne}[rng.IntN(3)]
}
