package encodetest

import (
	"math/rand/v2"
	"slices"

	"queens/encode"
	"queens/encode/cnf"
)

// Any draws a constraint of any kind: one time in four its literals have weights, otherwise it is a Rule.
func Any(rng *rand.Rand) func(name string, lits ...cnf.Lit) encode.Constraint {
	if rng.IntN(4) == 0 {
		return func(name string, lits ...cnf.Lit) encode.Constraint { return weighing(rng, name, lits) }
	}
	return Rule(rng)
}

// Rule draws what a random constraint without weights says of its literals: at least, at most or exactly one is true or, one
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

// weighing draws a constraint with weights from 1 to 6, and bounds of all kinds.
func weighing(rng *rand.Rand, name string, lits []cnf.Lit) encode.Constraint {
	c := encode.Constraint{Name: name, Lits: lits, Weights: make([]int, len(lits))}
	total := 0
	for k := range lits {
		c.Weights[k] = 1 + rng.IntN(6)
		total += c.Weights[k]
	}
	slices.SortFunc(c.Weights, func(a, b int) int { return b - a })
	c.Least, c.Most = rng.IntN(total+2)*rng.IntN(2), rng.IntN(total+2)
	switch rng.IntN(4) {
	case 0:
		c.Most = c.Least
	case 1, 2:
		c.Least, c.Most = min(c.Least, c.Most), max(c.Least, c.Most)
	}
	return c
}

// Problem draws a problem of 3 to 11 variables, with constraints of all kinds without weights over literals of both signs.
func Problem(rng *rand.Rand) encode.Problem {
	vars := 3 + rng.IntN(9)
	p := encode.Problem{Names: make(encode.List, vars)}
	for range 2 + rng.IntN(2*vars) {
		rule := encode.AtLeastOne
		if rng.IntN(3) == 0 {
			rule = Rule(rng)
		}
		var lits []cnf.Lit
		for _, v := range rng.Perm(vars)[:2+rng.IntN(min(vars, 6)-1)] {
			lits = append(lits, cnf.Var(v+1).Lit(rng.IntN(2) == 0))
		}
		c := rule("", lits...)
		if rng.IntN(4) == 0 {
			c.Least = rng.IntN(len(lits))
			c.Most = c.Least + rng.IntN(len(lits))
		}
		p.Constraints = append(p.Constraints, c)
	}
	return p
}
