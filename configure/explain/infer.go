package explain

import (
	"slices"

	"queens/encode"
	"queens/encode/cnf"
)

// infer returns the steps that lead by unit propagation from the given literals to a goal, or to a
// contradiction if the goal is 0 or that comes first; nil if there are none. Every step is used by a
// later one, except the last. Propagation goes breadth first, so that what needs few steps is found in
// few. A goal that is given takes no steps, and neither does a contradiction among what is given: nil,
// too.
func infer(p encode.Problem, lits []cnf.Lit, goal cnf.Lit) []Inference {
	p = p.With(lits...)
	propagator := encode.NewPropagator(p)
	trail := propagator.Trail()
	at := make(map[cnf.Lit]int, len(trail)) // by true literal: its place in the trail
	for i, l := range trail {
		at[l] = i
	}
	given := make(map[cnf.Lit]bool)
	for _, l := range p.Fixed {
		if _, both := at[l.Not()]; both {
			return nil
		}
		given[l] = true
	}
	if given[goal] {
		return nil
	}
	var steps []Inference
	needed := make(map[cnf.Lit]bool)
	follow := func(l cnf.Lit, constraints []int32) {
		for _, i := range constraints {
			if because, follows := reason(p.Constraints[i], l, at); follows {
				steps = append(steps, Inference{l, int(i), because})
				for _, l := range because {
					needed[l] = !given[l]
				}
				return
			}
		}
	}
	if _, reached := at[goal]; reached {
		needed[goal] = true
	} else {
		all := make([]int32, len(p.Constraints))
		for i := range all {
			all[i] = int32(i)
		}
		follow(0, all)
	}
	for _, l := range slices.Backward(trail) {
		if needed[l] {
			follow(l, slices.Concat(propagator.Of(l), propagator.Of(l.Not())))
		}
	}
	slices.Reverse(steps)
	return steps
}

// reason returns the literals for which a literal follows from a constraint, and whether it does, when
// those before it in the trail are true; for the literal 0, all are, and a contradiction follows.
func reason(c encode.Constraint, l cnf.Lit, at map[cnf.Lit]int) (because []cnf.Lit, follows bool) {
	before := len(at)
	if l != 0 {
		before = at[l]
	}
	var holding, failing []cnf.Lit
	open := 0
	for _, other := range c.Lits {
		if i, holds := at[other]; holds && i < before {
			holding = append(holding, other)
		} else if i, fails := at[other.Not()]; fails && i < before {
			failing = append(failing, other.Not())
		} else if other != l {
			open++
		}
	}
	most := 2 // true literals contradict an at-most-one
	if slices.Contains(c.Lits, l.Not()) {
		most = 1
	}
	switch {
	case c.Bound != encode.AtLeastOne && len(holding) >= most && !slices.Contains(c.Lits, l):
		return holding[:most], true
	case c.Bound != encode.AtMostOne && len(holding)+open == 0 && (l == 0 || slices.Contains(c.Lits, l)):
		return failing, true
	}
	return nil, false
}
