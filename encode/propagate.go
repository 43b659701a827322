package encode

import (
	"slices"

	"queens/encode/amo"
	"queens/encode/cnf"
)

// Propagator does unit propagation over a problem's constraints: a true literal makes
// the others of an at-most-one false, and the last literal of an at-least-one that is
// not false is true. What is left is the residual problem over the variables without
// a value; its solutions are the problem's under the assumed literals.
//
// Its state is two counters per constraint, for the open and the true literals, so
// setting or undoing a literal touches only the constraints it is in; which literals
// of a constraint are open is not stored. Constraints that need a true literal are a
// sparse set: one that is met is swapped behind the others, so undoing only restores
// their number.
type Propagator struct {
	problem Problem
	bound   []Bound   // by constraint
	lits    [][]index // by constraint
	in      [][]int32 // by literal: the constraints it is in, in rising order

	holds []bool  // by literal
	open  []int32 // by constraint: number of its literals that are neither true nor false
	held  []int32 // by constraint: number of its true literals

	needs  []int32 // constraints that need a true literal; those without one come first
	where  []int32 // by constraint: its place in needs
	active int     // number of needs without a true literal

	trail []index // literals set, in sequence
	done  int     // literals of the trail that the counters include
	root  int     // literals of the trail that follow from the problem alone
	dead  bool    // the problem alone is contradictory
	set   uint64  // literals propagated by all calls
	value []int8  // buffer that Values returns
}

// NewPropagator returns a Propagator for the problem, its fixed literals included.
func NewPropagator(p Problem) *Propagator {
	constraints := len(p.Constraints)
	r := &Propagator{
		problem: p, bound: make([]Bound, constraints), lits: make([][]index, constraints),
		in: make([][]int32, 2*p.AllVars()), holds: make([]bool, 2*p.AllVars()),
		open: make([]int32, constraints), held: make([]int32, constraints), where: make([]int32, constraints),
	}
	total, counts := 0, make([]int, len(r.in))
	for _, c := range p.Constraints {
		total += len(c.Lits)
		for _, l := range c.Lits {
			counts[indexOf(l)]++
		}
	}
	memory, places := make([]index, total), make([]int32, total)
	for l, count := range counts {
		r.in[l], places = places[:0:count], places[count:]
	}
	for i, c := range p.Constraints {
		r.lits[i], memory = memory[:len(c.Lits):len(c.Lits)], memory[len(c.Lits):]
		for k, l := range c.Lits {
			l := indexOf(l)
			r.lits[i][k], r.in[l] = l, append(r.in[l], int32(i))
		}
		r.bound[i], r.open[i] = c.Bound, int32(len(c.Lits))
		if c.Bound != AtMostOne {
			r.where[i] = int32(len(r.needs))
			r.needs = append(r.needs, int32(i))
		}
	}
	r.active = len(r.needs)
	r.Fix(p.Fixed)
	return r
}

// Fix replaces the problem's fixed literals. They come first in the trail. It returns false if they
// contradict each other or a constraint.
func (r *Propagator) Fix(lits []cnf.Lit) (consistent bool) {
	r.Undo(0)
	r.dead = false
	for _, l := range lits {
		r.dead = !r.push(indexOf(l)) || r.dead
	}
	for _, i := range r.needs {
		r.dead = r.dead || !r.examine(i)
	}
	r.dead = r.dead || !r.propagate()
	r.root = len(r.trail)
	return !r.dead
}

// mostPropagated bounds the visits to constraints for which [Problem.Certain] propagates: tenths of a second of work.
// Without it, a chain of implications takes the square of its length, and so does a literal in many constraints.
const mostPropagated = 10_000_000

// Certain returns literals that are true in every solution: those that follow from the problem by unit
// propagation, and those whose negation it refutes (failed literals), as far as [mostPropagated] allows. It is
// empty if the problem has no solution by these rules.
func (p Problem) Certain() (certain []cnf.Lit) {
	r := NewPropagator(p)
	tried := make([]bool, len(r.holds)) // by literal: it follows from one that is not refuted, so neither is it
	consistent, work := !r.dead, 0
	for l := index(0); int(l) < len(tried) && consistent && work < mostPropagated; l++ {
		if tried[l] || !r.IsOpen(l.lit()) {
			continue
		}
		length := r.Len()
		possible := r.Add(l.lit())
		for _, follows := range r.trail[length:] {
			work += len(r.in[follows]) + len(r.in[follows.not()])
			tried[follows] = tried[follows] || possible
		}
		r.Undo(length)
		consistent = possible || r.Add(l.not().lit())
	}
	if !consistent {
		return nil
	}
	return slices.DeleteFunc(r.Trail(), func(l cnf.Lit) bool { return int(l.Var()) > p.NumVars() })
}

// Clone returns a Propagator for another goroutine, which shares the problem's data.
func (r *Propagator) Clone() *Propagator {
	c := *r
	c.holds, c.open, c.held = slices.Clone(r.holds), slices.Clone(r.open), slices.Clone(r.held)
	c.needs, c.where, c.trail, c.value = slices.Clone(r.needs), slices.Clone(r.where), slices.Clone(r.trail), nil
	return &c
}

// Of returns the constraints that contain a literal, as indices into the problem's
// Constraints.
func (r *Propagator) Of(l cnf.Lit) []int32 { return r.in[indexOf(l)] }

// Assume undoes all earlier assumptions, then propagates the literals. If they contradict a constraint,
// it returns false, and only Assume and Violated may be called next.
func (r *Propagator) Assume(lits []cnf.Lit) (consistent bool) {
	r.Undo(r.root)
	if r.dead {
		return false
	}
	for _, l := range lits {
		if !r.push(indexOf(l)) {
			return false
		}
	}
	return r.propagate()
}

// Add propagates one more literal. It returns false if that contradicts a constraint.
func (r *Propagator) Add(l cnf.Lit) (consistent bool) { return r.push(indexOf(l)) && r.propagate() }

// Len returns the number of literals set; Undo can return to it.
func (r *Propagator) Len() int { return len(r.trail) }

// Set returns how many literals were set by all calls so far: the cost, independent of the
// machine.
func (r *Propagator) Set() uint64 { return r.set }

// Values returns the values of all variables, indexed by variable - 1: 1 is true, -1 false, 0
// open. The next call overwrites them.
func (r *Propagator) Values() []int8 {
	if r.value == nil {
		r.value = make([]int8, r.problem.AllVars())
	}
	clear(r.value)
	for _, l := range r.trail {
		r.value[l>>1] = 1 - 2*int8(l&1)
	}
	return r.value
}

// Trail returns the true literals in the order in which they were set: each follows from earlier ones. If
// the problem is contradictory, the trail ends where the contradiction was found.
func (r *Propagator) Trail() []cnf.Lit {
	lits := make([]cnf.Lit, len(r.trail))
	for i, l := range r.trail {
		lits[i] = l.lit()
	}
	return lits
}

// At returns the literal at a place of the trail, counted from 0.
func (r *Propagator) At(i int) cnf.Lit { return r.trail[i].lit() }

// push makes a literal true, and returns false if it is already false. propagate updates
// the counters later.
func (r *Propagator) push(l index) bool {
	if r.holds[l.not()] {
		return false
	}
	if !r.holds[l] {
		r.holds[l] = true
		r.trail = append(r.trail, l)
	}
	return true
}

// propagate updates the counters and sets the literals that follow. It returns false
// if a constraint is violated.
func (r *Propagator) propagate() bool {
	for r.done < len(r.trail) {
		l := r.trail[r.done]
		r.done++
		r.set++
		ok := true
		for _, i := range r.in[l] {
			r.open[i]--
			r.held[i]++
			ok = r.hold(i, l) && ok
		}
		for _, i := range r.in[l.not()] {
			if r.open[i]--; r.open[i] < 2 {
				ok = ok && r.examine(i)
			}
		}
		if !ok {
			return false
		}
	}
	return true
}

// hold sets the literals that follow from one more true literal of a constraint.
func (r *Propagator) hold(i int32, l index) bool {
	bound := r.bound[i]
	if r.held[i] == 1 && bound != AtMostOne {
		r.active--
		r.swap(r.where[i], int32(r.active))
	}
	if bound == AtLeastOne {
		return true
	}
	if r.held[i] > 1 {
		return false
	}
	if r.open[i] > 0 {
		for _, other := range r.lits[i] {
			if other != l && !r.holds[other.not()] {
				if r.holds[other] {
					return false
				}
				r.holds[other.not()] = true
				r.trail = append(r.trail, other.not())
			}
		}
	}
	return true
}

// examine sets what follows from a constraint's false literals: the last open
// literal of a need becomes true.
func (r *Propagator) examine(i int32) bool {
	if r.open[i] > 1 || r.held[i] > 0 || r.bound[i] == AtMostOne {
		return true
	}
	for _, l := range r.lits[i] {
		if !r.holds[l.not()] {
			return r.push(l)
		}
	}
	return false
}

// Violated returns the violated constraints after propagation has met a contradiction: all that are
// violated once the literals set so far have excluded others, without further inference. It appends the
// excluded literals to the trail.
func (r *Propagator) Violated() []int {
	for ; r.done < len(r.trail); r.done++ {
		l := r.trail[r.done]
		for _, i := range r.in[l] {
			r.open[i]--
			r.held[i]++
			r.hold(i, l)
			for _, other := range r.lits[i] {
				if r.bound[i] != AtLeastOne && other != l {
					r.push(other.not())
				}
			}
		}
		for _, i := range r.in[l.not()] {
			r.open[i]--
		}
	}
	var violated []int
	for i, bound := range r.bound {
		if bound != AtMostOne && r.open[i]+r.held[i] == 0 || bound != AtLeastOne && r.held[i] > 1 {
			violated = append(violated, i)
		}
	}
	return violated
}

// Needs returns the constraints that need a true literal and have the given number of open ones.
func (r *Propagator) Needs(open int) []int {
	var needs []int
	for _, i := range r.needs[:r.active] {
		if int(r.open[i]) == open {
			needs = append(needs, int(i))
		}
	}
	slices.Sort(needs)
	return needs
}

// swap exchanges two entries of needs.
func (r *Propagator) swap(a, b int32) {
	i, j := r.needs[a], r.needs[b]
	r.needs[a], r.needs[b] = j, i
	r.where[i], r.where[j] = b, a
}

// Undo returns to the state in which Len was length.
func (r *Propagator) Undo(length int) {
	for k := len(r.trail) - 1; k >= length; k-- {
		l := r.trail[k]
		r.holds[l] = false
		if k >= r.done {
			continue
		}
		for _, i := range r.in[l.not()] {
			r.open[i]++
		}
		for _, i := range r.in[l] {
			r.open[i]++
			if r.held[i]--; r.held[i] == 0 && r.bound[i] != AtMostOne {
				r.active++
			}
		}
	}
	r.trail = r.trail[:length]
	r.done = min(r.done, length)
}

// Shortest returns a constraint with the fewest open literals among those that need a true one. If there
// are none, it returns an at-most-one constraint that open literals can still violate, or -1 if there is
// none: then every assignment of the open variables is a solution.
func (r *Propagator) Shortest() int {
	best, fewest := -1, int32(1<<30)
	for _, i := range r.needs[:r.active] {
		if r.open[i] < fewest {
			if best, fewest = int(i), r.open[i]; fewest <= 2 {
				break
			}
		}
	}
	if best >= 0 || 2*len(r.trail) == len(r.holds) {
		return best
	}
	for i, bound := range r.bound {
		if bound == AtMostOne && r.held[i] == 0 && r.open[i] > 1 {
			return i
		}
	}
	return -1
}

// IsOpen reports whether a literal is neither true nor false.
func (r *Propagator) IsOpen(l cnf.Lit) bool {
	return !r.holds[indexOf(l)] && !r.holds[indexOf(l).not()]
}

// Binds reports whether a constraint still excludes some values of its open literals after propagation.
func (r *Propagator) Binds(constraint int) bool {
	return r.held[constraint] == 0 && r.open[constraint] > 1
}

// Open returns the number of a constraint's open literals, and OpenLit one of them, counted
// from 0.
func (r *Propagator) Open(constraint int) int { return int(r.open[constraint]) }

func (r *Propagator) OpenLit(constraint, k int) cnf.Lit {
	for _, l := range r.lits[constraint] {
		if !r.holds[l] && !r.holds[l.not()] {
			if k == 0 {
				return l.lit()
			}
			k--
		}
	}
	panic("encode: a constraint without that many open literals")
}

// AppendTrue appends the variables that are true, and AppendOpen those that are open.
func (r *Propagator) AppendTrue(vars []cnf.Var) []cnf.Var {
	for _, l := range r.trail {
		if l&1 == 0 {
			vars = append(vars, cnf.Var(l>>1)+1)
		}
	}
	return vars
}

func (r *Propagator) AppendOpen(vars []cnf.Var) []cnf.Var {
	for l := 0; l < len(r.holds) && 2*len(r.trail) < len(r.holds); l += 2 {
		if !r.holds[l] && !r.holds[l+1] {
			vars = append(vars, cnf.Var(l/2+1))
		}
	}
	return vars
}

// FirstOpen returns the lowest open variable up to last, or 0 if there is none.
func (r *Propagator) FirstOpen(last cnf.Var) cnf.Var {
	for l := 0; l < 2*int(last); l += 2 {
		if !r.holds[l] && !r.holds[l+1] {
			return cnf.Var(l/2 + 1)
		}
	}
	return 0
}

// Residual lowers the residual problem to clauses. choose picks the encoding, given
// the number of pairs that exclude each other. Variable i of the formula, for i <=
// len(vars), stands for vars[i-1]; those above are auxiliary.
func (r *Propagator) Residual(choose func(pairs int) amo.Encoding) (f *cnf.Formula, vars []cnf.Var) {
	vars = r.AppendOpen(make([]cnf.Var, 0, len(r.holds)/2-len(r.trail)))
	number := make([]cnf.Lit, r.problem.AllVars())
	for i, v := range vars {
		number[v-1] = cnf.Lit(i + 1)
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
