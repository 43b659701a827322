package encode

import (
	"slices"

	"queens/encode/cnf"
)

// index stands for a literal: twice its variable, counted from 0, plus one if it is
// negative.
type index int32

func indexOf(l cnf.Lit) index {
	if l < 0 {
		return 2*index(-l) - 1
	}
	return 2*index(l) - 2
}

func (i index) not() index { return i ^ 1 }

func (i index) lit() cnf.Lit {
	if i&1 != 0 {
		return -cnf.Lit(i>>1) - 1
	}
	return cnf.Lit(i>>1) + 1
}

// incidence says which constraints each literal is in.
type incidence struct {
	first []int32 // by index: where its constraints begin in which
	which []int32
}

func newIncidence(vars int, constraints []Constraint) incidence {
	in := incidence{first: make([]int32, 2*vars+1)}
	for _, c := range constraints {
		for _, l := range c.Lits {
			in.first[indexOf(l)+1]++
		}
	}
	for i := range 2 * vars {
		in.first[i+1] += in.first[i]
	}
	in.which = make([]int32, in.first[2*vars])
	next := slices.Clone(in.first)
	for i, c := range constraints {
		for _, l := range c.Lits {
			at := &next[indexOf(l)]
			in.which[*at] = int32(i)
			*at++
		}
	}
	return in
}

// of returns the constraints of a literal, in rising order.
func (in *incidence) of(l index) []int32 { return in.which[in.first[l]:in.first[l+1]] }
