package explain

import (
	"slices"

	"queens/encode"
	"queens/encode/cnf"
)

// inference is unit propagation that keeps its reasons. It goes breadth first, so that what needs
// few steps is found in few.
type inference struct {
	problem encode.Problem
	in      map[cnf.Lit][]int // by literal: its constraints
	reason  map[cnf.Lit]int   // by true literal: its place in steps, -1 if it was given
	queue   []cnf.Lit
	steps   []Inference
	end     int // the place in steps of the contradiction, or -1
}

// infer returns the steps that lead from the given literals to a goal, or to a contradiction if the
// goal is 0 or that comes first; nil if unit propagation does not. Every step is used by a later
// one, except the last. A goal that is given takes no steps, and neither does a contradiction among
// what is given: nil, too.
func infer(p encode.Problem, lits []cnf.Lit, goal cnf.Lit) []Inference {
	r := &inference{problem: p, in: map[cnf.Lit][]int{}, reason: map[cnf.Lit]int{}, end: -1}
	for i, c := range p.Constraints {
		for _, l := range c.Lits {
			r.in[l] = append(r.in[l], i)
		}
	}
	for _, l := range slices.Concat(p.Fixed, lits) {
		if _, both := r.reason[l.Not()]; both {
			return nil
		}
		if _, twice := r.reason[l]; !twice {
			r.reason[l] = -1
			r.queue = append(r.queue, l)
		}
	}
	for i := range p.Constraints {
		if len(p.Constraints[i].Lits) < 2 {
			r.examine(i)
		}
	}
	for len(r.queue) > 0 && r.end < 0 {
		l := r.queue[0]
		r.queue = r.queue[1:]
		if at, reached := r.reason[goal]; reached && at >= 0 {
			return r.used(at)
		}
		for _, i := range r.in[l] {
			r.exclude(i, l)
		}
		for _, i := range r.in[l.Not()] {
			r.examine(i)
		}
	}
	if at, reached := r.reason[goal]; reached && at >= 0 {
		return r.used(at)
	}
	if r.end >= 0 {
		return r.used(r.end)
	}
	return nil
}

// exclude draws the conclusions from a true literal of a constraint: the others are false.
func (r *inference) exclude(constraint int, l cnf.Lit) {
	c := r.problem.Constraints[constraint]
	if c.Bound == encode.AtLeastOne {
		return
	}
	for _, other := range c.Lits {
		if other != l {
			r.follow(other.Not(), constraint, []cnf.Lit{l})
		}
	}
}

// examine draws the conclusion from a constraint with false literals: the last other one is true.
func (r *inference) examine(constraint int) {
	c := r.problem.Constraints[constraint]
	if c.Bound == encode.AtMostOne {
		return
	}
	var last cnf.Lit
	var because []cnf.Lit
	for _, l := range c.Lits {
		if _, isFalse := r.reason[l.Not()]; isFalse {
			because = append(because, l.Not())
			continue
		}
		if last != 0 {
			return
		}
		last = l
	}
	r.follow(last, constraint, because)
}

// follow notes that a literal follows; 0 is the contradiction.
func (r *inference) follow(l cnf.Lit, constraint int, because []cnf.Lit) {
	if _, known := r.reason[l]; known && l != 0 || r.end >= 0 {
		return
	}
	_, isFalse := r.reason[l.Not()]
	switch {
	case l == 0:
		r.end = len(r.steps)
	case isFalse:
		r.end = len(r.steps)
		l, because = 0, append(because, l.Not())
	default:
		r.reason[l] = len(r.steps)
		r.queue = append(r.queue, l)
	}
	r.steps = append(r.steps, Inference{l, constraint, because})
}

// used returns the step with those that it needs.
func (r *inference) used(last int) []Inference {
	needed := make([]bool, len(r.steps))
	needed[last] = true
	for i := last; i >= 0; i-- {
		if !needed[i] {
			continue
		}
		for _, l := range r.steps[i].Because {
			if at := r.reason[l]; at >= 0 {
				needed[at] = true
			}
		}
	}
	var steps []Inference
	for i, s := range r.steps {
		if needed[i] {
			steps = append(steps, s)
		}
	}
	return steps
}
