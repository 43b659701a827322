package sat

import (
	"slices"

	"queens/encode"
	"queens/encode/amo"
	"queens/encode/cnf"
)

// propagator propagates units over a problem's constraints: a true literal makes the
// others of an at-most-one false, and the last literal left of an at-least-one is
// true. What is left is the residual problem, over the variables without a value; its
// solutions are the problem's under the question's literals. All of it takes time
// proportional to the constraints that are met.
//
// Literals are counted from 0: v-1 twice, and one more for the negation.
type propagator struct {
	problem encode.Problem
	first   []int32   // by literal: where in which its constraints begin
	which   []int32   // constraints
	units   []cnf.Lit // of constraints of one literal, and the problem's fixed ones
	empty   bool      // a constraint without literals asks for one

	// Of one question.
	value []int8  // by variable-1: 1 true, -1 false, 0 open
	held  []int32 // by constraint: its true literals
	open  []int32 // and those that are not false
	queue []cnf.Lit
	dead  bool // there is no solution; nothing else is then of use
}

func index(l cnf.Lit) int {
	if l < 0 {
		return 2*int(-l) - 1
	}
	return 2*int(l) - 2
}

func newPropagator(p encode.Problem) *propagator {
	r := &propagator{
		problem: p, first: make([]int32, 2*p.NumVars()+1), units: slices.Clone(p.Fixed),
		value: make([]int8, p.NumVars()), held: make([]int32, len(p.Constraints)), open: make([]int32, len(p.Constraints)),
	}
	for _, c := range p.Constraints {
		if c.Bound != encode.AtMostOne {
			r.empty = r.empty || len(c.Lits) == 0
			if len(c.Lits) == 1 {
				r.units = append(r.units, c.Lits[0])
			}
		}
		for _, l := range c.Lits {
			r.first[index(l)+1]++
		}
	}
	for i := range 2 * p.NumVars() {
		r.first[i+1] += r.first[i]
	}
	r.which = make([]int32, r.first[2*p.NumVars()])
	next := slices.Clone(r.first)
	for i, c := range p.Constraints {
		for _, l := range c.Lits {
			r.which[next[index(l)]] = int32(i)
			next[index(l)]++
		}
	}
	return r
}

// of returns the constraints of a literal.
func (r *propagator) of(l cnf.Lit) []int32 {
	i := index(l)
	return r.which[r.first[i]:r.first[i+1]]
}

// begin propagates the problem's units and the literals.
func (r *propagator) begin(assume []cnf.Lit) {
	clear(r.value)
	clear(r.held)
	for i, c := range r.problem.Constraints {
		r.open[i] = int32(len(c.Lits))
	}
	r.queue, r.dead = r.queue[:0], r.empty
	for _, l := range r.units {
		r.set(l)
	}
	for _, l := range assume {
		r.set(l)
	}
	for len(r.queue) > 0 && !r.dead {
		l := r.queue[len(r.queue)-1]
		r.queue = r.queue[:len(r.queue)-1]
		for _, c := range r.of(l) {
			r.hold(c, l)
		}
		for _, c := range r.of(l.Not()) {
			r.lose(c)
		}
	}
}

// isFalse reports whether a literal has the value false.
func (r *propagator) isFalse(l cnf.Lit) bool {
	v := r.value[l.Var()-1]
	return l > 0 && v < 0 || l < 0 && v > 0
}

// set makes a literal true.
func (r *propagator) set(l cnf.Lit) {
	value := &r.value[l.Var()-1]
	switch {
	case r.isFalse(l):
		r.dead = true
	case *value == 0:
		if *value = 1; l < 0 {
			*value = -1
		}
		r.queue = append(r.queue, l)
	}
}

// hold notes that l of the constraint is true.
func (r *propagator) hold(constraint int32, l cnf.Lit) {
	r.held[constraint]++
	c := &r.problem.Constraints[constraint]
	if c.Bound == encode.AtLeastOne {
		return
	}
	for _, other := range c.Lits {
		if other != l {
			r.set(other.Not())
		}
	}
}

// lose notes that a literal of the constraint is false.
func (r *propagator) lose(constraint int32) {
	r.open[constraint]--
	c := &r.problem.Constraints[constraint]
	if c.Bound == encode.AtMostOne || r.held[constraint] > 0 || r.open[constraint] > 1 {
		return
	}
	if r.open[constraint] == 0 {
		r.dead = true
		return
	}
	for _, l := range c.Lits {
		if !r.isFalse(l) {
			r.set(l)
			return
		}
	}
}

// formula lowers what is left to clauses. Variable i of the formula, for
// i <= len(vars), stands for vars[i-1]; those above are auxiliary.
func (r *propagator) formula(choose func(pairs int) amo.Encoding) (f *cnf.Formula, vars []cnf.Var) {
	number := make([]cnf.Lit, len(r.value))
	for i, value := range r.value {
		if value == 0 {
			vars = append(vars, cnf.Var(i+1))
			number[i] = cnf.Lit(len(vars))
		}
	}
	residual := encode.Problem{Names: make(encode.List, len(vars))}
	for i, c := range r.problem.Constraints {
		if r.held[i] > 0 || c.Bound == encode.AtMostOne && r.open[i] < 2 {
			continue
		}
		lits := make([]cnf.Lit, 0, r.open[i])
		for _, l := range c.Lits {
			switch at := number[l.Var()-1]; {
			case at == 0: // false
			case l < 0:
				lits = append(lits, -at)
			default:
				lits = append(lits, at)
			}
		}
		residual.Constraints = append(residual.Constraints, encode.Constraint{Bound: c.Bound, Lits: lits})
	}
	return residual.CNF(choose(residual.Pairs())), vars
}
