package search

import (
	"math/rand/v2"

	"queens/encode"
	"queens/encode/cnf"
)

// general is the walk for any problem: exact cover with secondary items if the
// constraints are exactly-one and at-most-one (Knuth, TAOCP 4B, section 7.2.2.1),
// extended to literals of both signs and to clauses. Between choices it does unit
// propagation. The next choice is a literal of the constraint with the fewest open
// literals among those that need a true one.
type general struct {
	*encode.Propagator
	problem encode.Problem

	next  uint64     // cost at which pause is called
	limit uint64     // cost at which a walk restarts; 0 for never
	first []bool     // by literal, the negative ones first: tried first
	rng   *rand.Rand // chooses among a constraint's literals; nil for the first
	pause func() error
	err   error
	found func(partial) bool
	part  partial
	lits  []cnf.Lit // memory of split
}

func newGeneral(p encode.Problem) *general {
	return &general{Propagator: encode.NewPropagator(p), problem: p, first: make([]bool, 2*p.NumVars()+1)}
}

func (g *general) start(assume []cnf.Lit) bool {
	clear(g.first)
	return g.Assume(assume)
}

func (g *general) split() (split, open []cnf.Lit) {
	g.lits = g.lits[:0]
	if i := g.Shortest(); i >= 0 && g.problem.Constraints[i].Bound != encode.AtMostOne {
		for k := range g.Open(i) {
			g.lits = append(g.lits, g.OpenLit(i, k))
		}
	}
	split = g.lits
	for i, value := range g.Values() {
		if v := cnf.Var(i + 1); value == 0 {
			g.lits = append(g.lits, v.Pos(), v.Neg())
		}
	}
	return split, g.lits[len(split):]
}

func (g *general) aim(l cnf.Lit, first bool) { g.first[g.problem.NumVars()+int(l)] = first }

func (g *general) aimed(l cnf.Lit) bool { return g.first[g.problem.NumVars()+int(l)] }

func (g *general) depth() uint64 { return uint64(g.problem.NumVars() - g.Len()) }

func (g *general) refute(l cnf.Lit) bool { return g.Add(l.Not()) }

func (g *general) cost() uint64 { return g.Set() }

// walk implements walker. The cost of a walk with fixed choices is heavy-tailed, so
// a single solution is sought with random choices and restarts under a limit that
// doubles (Gomes, Selman and Kautz, AAAI 1998). This is still complete, and the
// same on every call.
func (g *general) walk(
	through cnf.Lit, limit uint64, pause func() error, want wanted, found func(partial) bool,
) error {
	g.pause, g.found, g.err = pause, found, nil
	g.rng, g.limit = nil, 0
	if g.next = g.cost() + pauseAfter; limit != 0 {
		g.next = min(g.next, limit)
	}
	root := g.Len()
	defer g.Undo(root)
	if through != 0 && !g.Add(through) {
		return nil
	}
	if want != one {
		g.below()
		return g.err
	}
	g.rng = rand.New(rand.NewPCG(uint64(len(g.problem.Constraints)), 0))
	start := g.Len()
	for budget := uint64(2 * g.problem.NumVars()); ; budget *= 2 {
		g.err, g.limit = nil, g.cost()+budget
		g.below()
		g.Undo(start)
		if g.err != errAnew {
			return g.err
		}
	}
}

// below visits the solutions of the state, and reports whether to continue. It
// leaves literals behind.
func (g *general) below() bool {
	for {
		if !g.goOn() {
			return false
		}
		i := g.Shortest()
		if i < 0 {
			g.part.held, g.part.free = g.AppendTrue(g.part.held[:0]), g.AppendOpen(g.part.free[:0])
			return g.found(g.part)
		}
		l, length := g.choose(i), g.Len()
		if g.Add(l) && !g.below() {
			return false
		}
		if g.Undo(length); !g.Add(l.Not()) {
			return true
		}
	}
}

// choose returns an open literal of a constraint.
func (g *general) choose(constraint int) cnf.Lit {
	for _, l := range g.problem.Constraints[constraint].Lits {
		if g.aimed(l) && g.IsOpen(l) {
			return l
		}
	}
	k := 0
	if g.rng != nil {
		k = g.rng.IntN(g.Open(constraint))
	}
	return g.OpenLit(constraint, k)
}

// pauseAfter is the cost between two calls of pause.
const pauseAfter = 1 << 14

// goOn returns false if the context or the limit ends the walk.
func (g *general) goOn() bool {
	if g.cost() >= g.next {
		g.next = g.cost() + pauseAfter
		g.err = g.pause()
	}
	if g.err == nil && g.limit != 0 && g.cost() >= g.limit {
		g.err = errAnew
	}
	return g.err == nil
}
