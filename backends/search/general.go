package search

import (
	"math/rand/v2"

	"queens/encode"
	"queens/encode/cnf"
)

// lit is a literal as an index: twice its variable, counted from 0, plus one if it
// is negative.
type lit int32

func litOf(l cnf.Lit) lit {
	if l.Positive() {
		return lit(2 * (l.Var() - 1))
	}
	return lit(2*(l.Var()-1) + 1)
}

func (l lit) not() lit       { return l ^ 1 }
func (l lit) v() cnf.Var     { return cnf.Var(l>>1) + 1 }
func (l lit) negative() bool { return l&1 != 0 }

// general is the walk for any problem: exact cover with secondary items if the
// constraints are exactly-one and at-most-one (Knuth, TAOCP 4B, section 7.2.2.1),
// extended to literals of both signs and to clauses.
//
// Its state is two counters per constraint, for the open and the true literals, so
// setting or undoing a literal touches only the constraints it is in; which literals
// of a constraint are open is not stored. If a constraint needs a true literal and has
// one open literal, that is set. Needs are a sparse set: a need that is met is swapped
// behind the others, so backtracking only restores their number. The next choice is a
// literal of the need with the fewest open literals; without needs, one of an
// at-most-one constraint with several open literals; and without those, every
// assignment of the open variables is a solution.
type general struct {
	bound []encode.Bound // by constraint
	lits  [][]lit        // by constraint
	in    [][]int32      // by literal: the constraints it is in

	true []bool  // by literal
	open []int32 // by constraint: number of its literals that are neither true nor false
	held []int32 // by constraint: number of its true literals

	needs  []int32 // constraints that need a true literal; those without one come first
	where  []int32 // by constraint: its place in needs
	active int     // number of needs without a true literal

	trail []lit // literals set, in sequence
	done  int   // literals of the trail that the counters include
	root  int   // literals of the trail that follow from the problem alone
	dead  bool  // the problem alone is contradictory

	visited uint64
	checked uint64     // visited when the context was last checked
	limit   uint64     // value of visited at which a walk restarts; 0 for never
	rng     *rand.Rand // chooses among a need's literals; nil for the first
	pause   func() error
	err     error
	found   func(partial) bool
	part    partial
}

func newGeneral(p encode.Problem) *general {
	g := &general{
		bound: make([]encode.Bound, len(p.Constraints)),
		lits:  make([][]lit, len(p.Constraints)),
		in:    make([][]int32, 2*p.NumVars()),
		true:  make([]bool, 2*p.NumVars()),
		open:  make([]int32, len(p.Constraints)),
		held:  make([]int32, len(p.Constraints)),
		where: make([]int32, len(p.Constraints)),
	}
	g.index(p.Constraints)
	for i, c := range p.Constraints {
		g.bound[i], g.open[i] = c.Bound, int32(len(c.Lits))
		if c.Bound != encode.AtMostOne {
			g.where[i] = int32(len(g.needs))
			g.needs = append(g.needs, int32(i))
		}
	}
	g.active = len(g.needs)
	for _, l := range p.Fixed {
		g.dead = g.dead || !g.set(litOf(l))
	}
	for _, i := range g.needs {
		g.dead = g.dead || !g.examine(i)
	}
	g.dead = g.dead || !g.propagate()
	g.root = len(g.trail)
	return g
}

// index fills lits and in, each from a single allocation.
func (g *general) index(constraints []encode.Constraint) {
	total := 0
	in := make([]int, len(g.in))
	for _, c := range constraints {
		total += len(c.Lits)
		for _, l := range c.Lits {
			in[litOf(l)]++
		}
	}
	lits, places := make([]lit, total), make([]int32, total)
	for l, count := range in {
		g.in[l], places = places[:0:count], places[count:]
	}
	for i, c := range constraints {
		g.lits[i], lits = lits[:len(c.Lits):len(c.Lits)], lits[len(c.Lits):]
		for k, l := range c.Lits {
			g.lits[i][k] = litOf(l)
			g.in[litOf(l)] = append(g.in[litOf(l)], int32(i))
		}
	}
}

// set makes a literal true, and returns false if it is already false. propagate
// updates the counters later.
func (g *general) set(l lit) bool {
	if g.true[l.not()] {
		return false
	}
	if !g.true[l] {
		g.true[l] = true
		g.trail = append(g.trail, l)
	}
	return true
}

// propagate updates the counters and sets the literals that follow. It returns false
// if a constraint is violated.
func (g *general) propagate() bool {
	for g.done < len(g.trail) {
		l := g.trail[g.done]
		g.done++
		g.visited++
		ok := true
		for _, i := range g.in[l] {
			g.open[i]--
			g.held[i]++
			ok = g.hold(i, l) && ok
		}
		for _, i := range g.in[l.not()] {
			g.open[i]--
			ok = ok && g.examine(i)
		}
		if !ok {
			return false
		}
	}
	return true
}

// hold draws the consequences of one more true literal of a constraint.
func (g *general) hold(i int32, l lit) bool {
	bound := g.bound[i]
	if g.held[i] == 1 && bound != encode.AtMostOne {
		g.active--
		g.swap(g.where[i], int32(g.active))
	}
	if bound == encode.AtLeastOne {
		return true
	}
	if g.held[i] > 1 {
		return false
	}
	if g.open[i] > 0 {
		for _, other := range g.lits[i] {
			if other != l && !g.true[other.not()] {
				if g.true[other] {
					return false
				}
				g.true[other.not()] = true
				g.trail = append(g.trail, other.not())
			}
		}
	}
	return true
}

// examine draws the consequences of a constraint's false literals: the last open
// literal of a need becomes true.
func (g *general) examine(i int32) bool {
	if g.open[i] > 1 || g.held[i] > 0 || g.bound[i] == encode.AtMostOne {
		return true
	}
	for _, l := range g.lits[i] {
		if !g.true[l.not()] {
			return g.set(l)
		}
	}
	return false
}

// swap exchanges the needs at two places.
func (g *general) swap(a, b int32) {
	i, j := g.needs[a], g.needs[b]
	g.needs[a], g.needs[b] = j, i
	g.where[i], g.where[j] = b, a
}

// undo returns to the state in which the trail had this length and the counters
// included all of it.
func (g *general) undo(length int) {
	for k := len(g.trail) - 1; k >= length; k-- {
		l := g.trail[k]
		g.true[l] = false
		if k >= g.done {
			continue
		}
		for _, i := range g.in[l.not()] {
			g.open[i]++
		}
		for _, i := range g.in[l] {
			g.open[i]++
			if g.held[i]--; g.held[i] == 0 && g.bound[i] != encode.AtMostOne {
				g.active++
			}
		}
	}
	g.trail = g.trail[:length]
	g.done = min(g.done, length)
}

func (g *general) start(assume []cnf.Lit) bool {
	g.undo(g.root)
	if g.dead {
		return false
	}
	for _, l := range assume {
		if !g.set(litOf(l)) {
			return false
		}
	}
	return g.propagate()
}

// walk implements walker. The cost of a walk with fixed choices is heavy-tailed, so
// a single solution is sought with random choices and restarts under a limit that
// doubles (Gomes, Selman and Kautz, AAAI 1998). This is still complete, and the
// same on every call.
func (g *general) walk(pause func() error, want wanted, found func(partial) bool) error {
	g.pause, g.found, g.err = pause, found, nil
	g.rng, g.limit = nil, 0
	if want != one {
		g.below()
		return g.err
	}
	g.rng = rand.New(rand.NewPCG(uint64(len(g.bound)), 0))
	root := len(g.trail)
	for budget := uint64(len(g.true)); ; budget *= 2 {
		g.err, g.limit = nil, g.visited+budget
		g.below()
		g.undo(root)
		if g.err != errAnew {
			return g.err
		}
	}
}

func (g *general) cost() uint64 { return g.visited }

// below visits the solutions of the state, and reports whether to continue. It
// leaves literals on the trail.
func (g *general) below() bool {
	for {
		if !g.goOn() {
			return false
		}
		i := g.shortest()
		if i < 0 {
			i = g.exclusive()
		}
		if i < 0 {
			return g.leaf()
		}
		l := g.choose(i)
		length := len(g.trail)
		g.set(l)
		if g.propagate() && !g.below() {
			return false
		}
		g.undo(length)
		g.set(l.not())
		if !g.propagate() {
			return true
		}
	}
}

// goOn returns false if the context or the limit ends the walk.
func (g *general) goOn() bool {
	if g.visited-g.checked >= 1<<14 {
		g.checked = g.visited
		g.err = g.pause()
	}
	if g.err == nil && g.limit != 0 && g.visited >= g.limit {
		g.err = errAnew
	}
	return g.err == nil
}

// shortest returns the unmet need with the fewest open literals, or -1 if all
// are met.
func (g *general) shortest() int32 {
	best, fewest := int32(-1), int32(1<<30)
	for _, i := range g.needs[:g.active] {
		if g.open[i] < fewest {
			if best, fewest = i, g.open[i]; fewest <= 2 {
				break
			}
		}
	}
	return best
}

// exclusive returns an at-most-one constraint that open literals can still
// violate, or -1.
func (g *general) exclusive() int32 {
	if 2*len(g.trail) == len(g.true) {
		return -1
	}
	for i, bound := range g.bound {
		if bound == encode.AtMostOne && g.held[i] == 0 && g.open[i] > 1 {
			return int32(i)
		}
	}
	return -1
}

// choose returns an open literal of a constraint: the first, or a random one.
func (g *general) choose(i int32) lit {
	skip := 0
	if g.rng != nil {
		skip = g.rng.IntN(int(g.open[i]))
	}
	for _, l := range g.lits[i] {
		if !g.true[l] && !g.true[l.not()] {
			if skip == 0 {
				return l
			}
			skip--
		}
	}
	panic("search: a constraint without an open literal is branched on")
}

// leaf calls found with the state's solutions.
func (g *general) leaf() bool {
	g.part.held, g.part.free = g.part.held[:0], g.part.free[:0]
	for _, l := range g.trail {
		if !l.negative() {
			g.part.held = append(g.part.held, l.v())
		}
	}
	if 2*len(g.trail) < len(g.true) {
		for l := lit(0); int(l) < len(g.true); l += 2 {
			if !g.true[l] && !g.true[l.not()] {
				g.part.free = append(g.part.free, l.v())
			}
		}
	}
	return g.found(g.part)
}
