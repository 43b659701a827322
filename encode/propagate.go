package encode

import (
	"slices"

	"queens/encode/amo"
	"queens/encode/cnf"
)

// Propagator does unit propagation over a problem's constraints: once as many literals
// of a constraint are true as may be, the others are false, and once as many are false
// as may be, the others are true. What is left is the residual problem over the variables
// without a value; its solutions are the problem's under the assumed literals.
//
// Its state is two counters per constraint: a true literal changes one of them, a false one
// the other. So setting or undoing a literal touches only the constraints it is in; which
// literals of a constraint are open is not stored. Constraints that need more true literals
// are a sparse set: one that has enough is swapped behind the others, so undoing only
// restores their number.
//
// With weights, the counters are sums of weights (propagate_weights.go).
type Propagator struct {
	problem Problem
	count   []counter // by constraint
	lits    []index   // of all constraints, one after the other
	begins  []int32   // by constraint: where in lits its literals begin; then where the last one's end
	in      [][]int32 // by literal: the constraints it is in, in rising order

	weights *weights // nil if no constraint has any

	holds []bool // by literal

	needs  []int32 // constraints that need true literals; those that have too few come first
	where  []int32 // by constraint: its place in needs
	active int     // number of needs that have too few true literals
	units  []int32 // constraints that need all of their literals
	none   []int32 // constraints that allow no true literal

	trail []index // literals set, in sequence
	done  int     // literals of the trail that the counters include
	root  int     // literals of the trail that follow from the problem alone
	dead  bool    // the problem alone is contradictory
	set   uint64  // literals propagated by all calls
	value []int8  // buffer that Values returns
}

// counter is the state of a constraint. Its numbers are sums of weights if the constraint has any.
type counter struct {
	least, most int32
	held        int32 // number of its true literals: beyond most, it is violated
	spare       int32 // number of its literals that may still become false: below 0, it is violated
}

// open returns the number of literals that are neither true nor false, and room how many of them may
// become true.
func (c *counter) open() int32 { return c.spare + c.least - c.held }
func (c *counter) room() int32 { return c.most - c.held }

// NewPropagator returns a Propagator for the problem, its fixed literals included.
func NewPropagator(p Problem) *Propagator {
	constraints := len(p.Constraints)
	r := &Propagator{
		problem: p, count: make([]counter, constraints), begins: make([]int32, constraints+1),
		holds: make([]bool, 2*p.AllVars()), where: make([]int32, constraints), needs: make([]int32, 0, constraints),
	}
	counts := make([]int32, len(r.holds))
	for i := range p.Constraints {
		c := &p.Constraints[i]
		r.begins[i+1] = r.begins[i] + int32(len(c.Lits))
		for _, l := range c.Lits {
			counts[indexOf(l)]++
		}
	}
	r.lits, r.in = make([]index, 0, r.begins[constraints]), Lists[int32](counts)
	for i := range p.Constraints {
		c := &p.Constraints[i]
		for _, l := range c.Lits {
			l := indexOf(l)
			r.lits, r.in[l] = append(r.lits, l), append(r.in[l], int32(i))
		}
		r.count[i] = counter{least: int32(c.Least), most: int32(c.Most), spare: int32(c.Total() - c.Least)}
		if c.Least > 0 {
			r.where[i] = int32(len(r.needs))
			r.needs = append(r.needs, int32(i))
			if c.Weights == nil && len(c.Lits) <= c.Least {
				r.units = append(r.units, int32(i))
			}
		}
		if c.Most == 0 && len(c.Lits) > 0 {
			r.none = append(r.none, int32(i))
		}
	}
	r.active = len(r.needs)
	r.weights = newWeights(p, r.in)
	r.Fix(p.Fixed)
	return r
}

// literals returns a constraint's literals.
func (r *Propagator) literals(constraint int32) []index {
	return r.lits[r.begins[constraint]:r.begins[constraint+1]]
}

// Fix replaces the problem's fixed literals. They come first in the trail. It returns false if they
// contradict each other or a constraint.
func (r *Propagator) Fix(lits []cnf.Lit) (consistent bool) {
	r.Undo(0)
	r.dead = false
	for _, l := range lits {
		r.dead = !r.push(indexOf(l)) || r.dead
	}
	for _, i := range r.units {
		r.dead = r.dead || !r.examine(i)
	}
	for _, i := range r.none {
		for _, l := range r.literals(i) {
			r.dead = !r.push(l.not()) || r.dead
		}
	}
	for _, i := range r.weights.constraints() {
		r.dead = !r.bind(i) || r.dead
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
	c.holds, c.count = slices.Clone(r.holds), slices.Clone(r.count)
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

// Root returns how many of the literals set follow from the problem alone: the first ones.
func (r *Propagator) Root() int { return r.root }

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

// Trail returns the true literals in the order in which they were set: each is fixed, assumed or added, or follows from
// earlier ones. If the problem is contradictory, the trail ends where the contradiction was found.
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
		if r.weights != nil {
			if !r.weigh(l) {
				return false
			}
			continue
		}
		for _, i := range r.in[l] {
			ok = r.hold(i, l) && ok
		}
		for _, i := range r.in[l.not()] {
			if r.count[i].spare--; r.count[i].spare <= 0 {
				ok = ok && r.examine(i)
			}
		}
		if !ok {
			return false
		}
	}
	return true
}

// hold counts one more true literal of a constraint, and sets the literals that follow from it: the
// others become false if there is no room for them.
func (r *Propagator) hold(i int32, l index) bool {
	c := &r.count[i]
	if c.held++; c.held == c.least {
		r.active--
		r.swap(r.where[i], int32(r.active))
	}
	if c.held < c.most {
		return true
	}
	if c.held > c.most {
		return false
	}
	if c.open() > 0 {
		trues := int32(1) // those that are set but not yet counted included
		for _, other := range r.literals(i) {
			if other == l || r.holds[other.not()] {
				continue
			}
			if r.holds[other] {
				if trues++; trues > c.most {
					return false
				}
				continue
			}
			r.holds[other.not()] = true
			r.trail = append(r.trail, other.not())
		}
	}
	return true
}

// examine sets what follows from the false literals of a constraint that cannot spare another one: the
// literals that are not false become true, and must be enough.
func (r *Propagator) examine(i int32) bool {
	need := r.count[i].least
	if r.count[i].held >= need {
		return true
	}
	for _, l := range r.literals(i) {
		if r.holds[l.not()] {
			continue
		}
		r.push(l)
		if need--; need == 0 {
			return true
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
		if r.weights != nil {
			r.exclude(l)
			continue
		}
		for _, i := range r.in[l] {
			r.hold(i, l)
			if r.count[i].room() <= 0 {
				for _, other := range r.literals(i) {
					r.push(other.not())
				}
			}
		}
		for _, i := range r.in[l.not()] {
			r.count[i].spare--
		}
	}
	var violated []int
	for i, c := range r.count {
		if c.spare < 0 || c.held > c.most {
			violated = append(violated, i)
		}
	}
	return violated
}

// Needs returns the constraints that need more true literals and have the given number of open ones.
func (r *Propagator) Needs(open int) []int {
	var needs []int
	for _, i := range r.needs[:r.active] {
		if r.Open(int(i)) == open {
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
		if r.weights != nil {
			r.unweigh(l)
			continue
		}
		for _, i := range r.in[l.not()] {
			r.count[i].spare++
		}
		for _, i := range r.in[l] {
			c := &r.count[i]
			if c.held == c.least {
				r.active++
			}
			c.held--
		}
	}
	r.trail = r.trail[:length]
	r.done = min(r.done, length)
}

// Shortest returns a constraint that can spare the fewest literals among those that need true ones; for
// clauses these are those with the fewest open literals. If there are none, it returns a constraint that
// open literals can still violate, or -1 if there is none: then every assignment of the open variables is
// a solution.
func (r *Propagator) Shortest() int {
	best, fewest := -1, int32(1<<30)
	for _, i := range r.needs[:r.active] {
		if spare := r.count[i].spare; spare < fewest {
			if best, fewest = int(i), spare; fewest <= 1 {
				break
			}
		}
	}
	if best >= 0 || 2*len(r.trail) == len(r.holds) {
		return best
	}
	for i := range r.count {
		if c := &r.count[i]; c.open() > c.room() {
			return i
		}
	}
	return -1
}

// Lacks reports whether a constraint needs more true literals.
func (r *Propagator) Lacks(constraint int) bool {
	return r.count[constraint].held < r.count[constraint].least
}

// Held returns the number of a constraint's true literals, or their weight.
func (r *Propagator) Held(constraint int) int { return int(r.count[constraint].held) }

// IsOpen reports whether a literal is neither true nor false.
func (r *Propagator) IsOpen(l cnf.Lit) bool {
	return !r.holds[indexOf(l)] && !r.holds[indexOf(l).not()]
}

// ignored is more literals than a constraint has.
const ignored = 1 << 29

// Ignore leaves a clause out of propagation, until Heed.
func (r *Propagator) Ignore(clause int) { r.count[clause].spare += ignored }

// Heed ends Ignore.
func (r *Propagator) Heed(clause int) { r.count[clause].spare -= ignored }

// Binds reports whether a constraint still excludes some values of its open literals after propagation.
func (r *Propagator) Binds(constraint int) bool {
	c := &r.count[constraint]
	return c.held < c.least || c.open() > c.room()
}

// Rest returns what a constraint still says of its open literals.
func (r *Propagator) Rest(constraint int) Constraint {
	c, held := r.problem.Constraints[constraint], int(r.count[constraint].held)
	lits := make([]cnf.Lit, 0, r.Open(constraint))
	var weights []int
	for k, l := range c.Lits {
		if !r.IsOpen(l) {
			continue
		}
		if lits = append(lits, l); c.Weights != nil {
			weights = append(weights, c.Weights[k])
		}
	}
	return Constraint{Name: c.Name, Least: max(0, c.Least-held), Most: c.Most - held, Lits: lits, Weights: weights}
}

// Open returns the number of a constraint's open literals, and OpenLit one of them, counted
// from 0.
func (r *Propagator) Open(constraint int) int {
	if r.weights != nil && r.weights.of[constraint] != nil {
		return r.countOpen(constraint)
	}
	return int(r.count[constraint].open())
}

func (r *Propagator) OpenLit(constraint, k int) cnf.Lit {
	for _, l := range r.literals(int32(constraint)) {
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
	number := make([]cnf.Var, r.problem.AllVars())
	for i, v := range vars {
		number[v-1] = cnf.Var(i + 1)
	}
	residual := Problem{Names: make(List, len(vars))}
	for i := range r.problem.Constraints {
		if !r.Binds(i) {
			continue
		}
		c := r.Rest(i)
		renumber(c.Lits, number)
		residual.Constraints = append(residual.Constraints, c)
	}
	return residual.CNF(choose(residual.Pairs())), vars
}
