package encode

import (
	"slices"

	"queens/encode/cnf"
)

// incidence says which constraints each literal is in. The index of the literal v is
// 2(v-1), and that of its negation 2(v-1)+1.
type incidence struct {
	first []int32 // by literal index: where its constraints begin in which
	which []int32
}

func literalIndex(l cnf.Lit) int {
	if l < 0 {
		return 2*int(-l) - 1
	}
	return 2*int(l) - 2
}

// literalOf is the inverse of literalIndex.
func literalOf(index int32) cnf.Lit {
	if index%2 == 1 {
		return -cnf.Lit(index/2 + 1)
	}
	return cnf.Lit(index/2 + 1)
}

func newIncidence(vars int, constraints []Constraint) incidence {
	in := incidence{first: make([]int32, 2*vars+1)}
	for _, c := range constraints {
		for _, l := range c.Lits {
			in.first[literalIndex(l)+1]++
		}
	}
	for i := range 2 * vars {
		in.first[i+1] += in.first[i]
	}
	in.which = make([]int32, in.first[2*vars])
	next := slices.Clone(in.first)
	for i, c := range constraints {
		for _, l := range c.Lits {
			at := &next[literalIndex(l)]
			in.which[*at] = int32(i)
			*at++
		}
	}
	return in
}

// of returns the constraints of a literal, in rising order.
func (in *incidence) of(l cnf.Lit) []int32 {
	i := literalIndex(l)
	return in.which[in.first[i]:in.first[i+1]]
}
