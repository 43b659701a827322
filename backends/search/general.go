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

	checked uint64     // cost when the context was last checked
	limit   uint64     // cost at which a walk restarts; 0 for never
	rng     *rand.Rand // chooses among a constraint's literals; nil for the first
	pause   func() error
	err     error
	found   func(partial) bool
	part    partial
}

func newGeneral(p encode.Problem) *general {
	return &general{Propagator: encode.NewPropagator(p), problem: p}
}

func (g *general) start(assume []cnf.Lit) bool { return g.Assume(assume) }

func (g *general) cost() uint64 { return g.Set() }

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
	g.rng = rand.New(rand.NewPCG(uint64(len(g.problem.Constraints)), 0))
	root := g.Len()
	for budget := uint64(2 * g.problem.NumVars()); ; budget *= 2 {
		g.err, g.limit = nil, g.cost()+budget
		g.below()
		g.Undo(root)
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
		k := 0
		if g.rng != nil {
			k = g.rng.IntN(g.Open(i))
		}
		l, length := g.OpenLit(i, k), g.Len()
		if g.Add(l) && !g.below() {
			return false
		}
		if g.Undo(length); !g.Add(l.Not()) {
			return true
		}
	}
}

// goOn returns false if the context or the limit ends the walk.
func (g *general) goOn() bool {
	if g.cost()-g.checked >= 1<<14 {
		g.checked = g.cost()
		g.err = g.pause()
	}
	if g.err == nil && g.limit != 0 && g.cost() >= g.limit {
		g.err = errAnew
	}
	return g.err == nil
}
