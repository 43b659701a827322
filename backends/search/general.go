package search

import (
	"math/rand/v2"
	"slices"

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

	next   uint64     // cost at which pause is called
	limit  uint64     // cost at which a walk restarts; 0 for never
	first  []bool     // by literal, the negative ones first: tried first
	aiming bool       // since the start, some literal was to be tried first
	rng    *rand.Rand // chooses among a constraint's literals; nil for the first
	pause  func() error
	err    error
	found  func(partial) bool
	part   partial
	lits   []cnf.Lit // memory of split

	// Where there are auxiliary variables, solutions are told apart by the others, so these are
	// chosen first. It makes no difference to a walk that looks for one solution.
	own   cnf.Var // the last variable that is not auxiliary
	apart bool
}

func newGeneral(p encode.Problem) *general {
	return &general{
		Propagator: encode.NewPropagator(p), problem: p, first: make([]bool, 2*p.AllVars()+1), own: cnf.Var(p.NumVars()),
	}
}

func (g *general) start(assume []cnf.Lit) bool {
	clear(g.first)
	g.aiming = false
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
	for i, value := range g.Values()[:g.own] {
		if v := cnf.Var(i + 1); value == 0 {
			g.lits = append(g.lits, v.Pos(), v.Neg())
		}
	}
	return split, g.lits[len(split):]
}

func (g *general) aim(l cnf.Lit, first bool) {
	g.first[g.problem.AllVars()+int(l)] = first
	g.aiming = g.aiming || first
}

func (g *general) aimed(l cnf.Lit) bool { return g.first[g.problem.AllVars()+int(l)] }

func (g *general) depth() uint64 { return uint64(g.problem.AllVars() - g.Len()) }

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
	g.rng, g.limit, g.apart = nil, 0, want != one && g.problem.Auxiliary > 0
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
	for budget := uint64(2 * g.problem.AllVars()); ; budget *= 2 {
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
			return g.show()
		}
		l, length := g.choose(i), g.Len()
		if l == 0 {
			return g.completed()
		}
		if g.Add(l) && !g.below() {
			return false
		}
		if g.Undo(length); !g.Add(l.Not()) {
			return true
		}
	}
}

// choose returns the literal of a constraint that is tried next. If solutions are told apart it is none of
// an auxiliary variable, so it may be another open one, or 0 if only auxiliary ones are open.
func (g *general) choose(constraint int) cnf.Lit {
	if g.aiming {
		for _, l := range g.problem.Constraints[constraint].Lits {
			if g.aimed(l) && g.IsOpen(l) {
				return l
			}
		}
	}
	if g.apart {
		for k := range g.Open(constraint) {
			if l := g.OpenLit(constraint, k); l.Var() <= g.own {
				return l
			}
		}
		return g.FirstOpen(g.own).Pos()
	}
	k := 0
	if g.rng != nil {
		k = g.rng.IntN(g.Open(constraint))
	}
	return g.OpenLit(constraint, k)
}

// show visits the solutions of a state whose open variables may have any values.
func (g *general) show() bool {
	auxiliary := func(v cnf.Var) bool { return v > g.own }
	g.part.held = slices.DeleteFunc(g.AppendTrue(g.part.held[:0]), auxiliary)
	g.part.free = slices.DeleteFunc(g.AppendOpen(g.part.free[:0]), auxiliary)
	return g.found(g.part)
}

// completed visits the one solution of a state in which only auxiliary variables are open, if some
// values of these complete it.
func (g *general) completed() bool {
	found, length := g.found, g.Len()
	exists := false
	g.found, g.apart = func(partial) bool { exists = true; return false }, false
	g.below()
	g.Undo(length)
	g.found, g.apart = found, true
	if !exists {
		return g.err == nil
	}
	return g.show()
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
