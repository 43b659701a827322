package encode

import (
	"slices"

	"queens/encode/amo"
	"queens/encode/cnf"
)

// Propagator does unit propagation over a problem's constraints: a true literal makes
// the others of an at-most-one false, and the last literal of an at-least-one that is
// not false is true. What is left is the residual problem over the variables without
// a value; its solutions are the problem's under the assumed literals. The time is
// proportional to the size of the constraints visited.
type Propagator struct {
	problem Problem
	in      incidence
	size    []int32   // by constraint: the number of its literals
	units   []cnf.Lit // from constraints of one literal, and the problem's fixed literals
	empty   bool      // a constraint without literals requires a true one

	value []int8  // by variable-1: 1 true, -1 false, 0 open
	held  []int32 // by constraint: the number of its true literals
	open  []int32 // by constraint: the number of its literals that are not false
	queue []cnf.Lit
	dead  bool // there is no solution; the other fields are then meaningless
}

// NewPropagator returns a Propagator for the problem, its fixed literals included.
func NewPropagator(p Problem) *Propagator {
	r := &Propagator{problem: p, in: newIncidence(p.NumVars(), p.Constraints), units: slices.Clone(p.Fixed)}
	for _, c := range p.Constraints {
		r.size = append(r.size, int32(len(c.Lits)))
		if c.Bound != AtMostOne {
			r.empty = r.empty || len(c.Lits) == 0
			if len(c.Lits) == 1 {
				r.units = append(r.units, c.Lits[0])
			}
		}
	}
	return r.Clone()
}

// Clone returns a Propagator for another goroutine, which shares the problem's data.
func (r *Propagator) Clone() *Propagator {
	c, constraints := *r, len(r.problem.Constraints)
	c.value, c.held, c.open = make([]int8, r.problem.NumVars()), make([]int32, constraints), make([]int32, constraints)
	c.queue = make([]cnf.Lit, 0, r.problem.NumVars())
	return &c
}

// Of returns the constraints that contain a literal, as indices into the problem's
// Constraints.
func (r *Propagator) Of(l cnf.Lit) []int32 { return r.in.of(l) }

// Values returns the values after the last Assume, indexed by variable - 1: 1 is true,
// -1 false, 0 open. The next Assume overwrites them.
func (r *Propagator) Values() []int8 { return r.value }

// Assume propagates the problem's units and the literals, starting afresh on every
// call. It returns false if they contradict a constraint; the values are then
// meaningless.
func (r *Propagator) Assume(lits []cnf.Lit) (consistent bool) {
	clear(r.value)
	clear(r.held)
	copy(r.open, r.size)
	r.queue, r.dead = r.queue[:0], r.empty
	for _, l := range r.units {
		r.set(l)
	}
	for _, l := range lits {
		r.set(l)
	}
	for len(r.queue) > 0 && !r.dead {
		l := r.queue[len(r.queue)-1]
		r.queue = r.queue[:len(r.queue)-1]
		for _, c := range r.in.of(l) {
			r.hold(c, l)
		}
		for _, c := range r.in.of(l.Not()) {
			r.lose(c)
		}
	}
	return !r.dead
}

// isFalse reports whether a literal has the value false.
func (r *Propagator) isFalse(l cnf.Lit) bool {
	v := r.value[l.Var()-1]
	return l > 0 && v < 0 || l < 0 && v > 0
}

// set makes a literal true.
func (r *Propagator) set(l cnf.Lit) {
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

// hold notes that literal l of the constraint is true.
func (r *Propagator) hold(constraint int32, l cnf.Lit) {
	r.held[constraint]++
	c := &r.problem.Constraints[constraint]
	if c.Bound == AtLeastOne {
		return
	}
	for _, other := range c.Lits {
		if other != l {
			r.set(other.Not())
		}
	}
}

// lose notes that a literal of the constraint is false.
func (r *Propagator) lose(constraint int32) {
	r.open[constraint]--
	c := &r.problem.Constraints[constraint]
	if c.Bound == AtMostOne || r.held[constraint] > 0 || r.open[constraint] > 1 {
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

// Residual lowers the residual problem to clauses. choose picks the encoding, given
// the number of pairs that exclude each other. Variable i of the formula, for i <=
// len(vars), stands for vars[i-1]; those above are auxiliary.
func (r *Propagator) Residual(choose func(pairs int) amo.Encoding) (f *cnf.Formula, vars []cnf.Var) {
	number := make([]cnf.Lit, len(r.value))
	for i, value := range r.value {
		if value == 0 {
			vars = append(vars, cnf.Var(i+1))
			number[i] = cnf.Lit(len(vars))
		}
	}
	residual := Problem{Names: make(List, len(vars))}
	for i, c := range r.problem.Constraints {
		if r.held[i] > 0 || c.Bound == AtMostOne && r.open[i] < 2 {
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
		residual.Constraints = append(residual.Constraints, Constraint{Bound: c.Bound, Lits: lits})
	}
	return residual.CNF(choose(residual.Pairs())), vars
}
