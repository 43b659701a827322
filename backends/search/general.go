package search

import (
	"context"
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

	first   *literals  // tried first; nil for none
	rng     *rand.Rand // chooses among a constraint's literals; nil to choose the first
	restart uint64     // cost at which the walk restarts with other random choices; 0 for never
	lits    []cnf.Lit  // buffer of open
	ctx     context.Context
	limit   uint64
	next    uint64 // cost at which the walk next checks ctx and limit
	found   func(*partial) bool
	part    partial
	err     error

	// Solutions differ in variables that are not auxiliary, so a walk over all solutions chooses those
	// first. A walk that looks for one solution need not.
	own   cnf.Var // the last variable that is not auxiliary
	apart bool    // choose auxiliary variables last
}

func newGeneral(p encode.Problem) *general {
	return &general{Propagator: encode.NewPropagator(p), problem: p, own: cnf.Var(p.NumVars())}
}

func (g *general) start(assume []cnf.Lit) bool {
	g.first = nil
	return g.Assume(assume)
}

func (g *general) open(missing *literals, positive bool) (split []cnf.Lit) {
	g.first, g.lits = missing, g.lits[:0]
	if i := g.Shortest(); i >= 0 && g.Lacks(i) {
		g.lits = append(g.lits, g.Rest(i).Lits...)
	}
	for i, value := range g.Values()[:g.own] {
		if v := cnf.Var(i + 1); value == 0 {
			if missing.add(v.Pos()); !positive {
				missing.add(v.Neg())
			}
		}
	}
	return g.lits
}

// longClause is the number of open literals from which on a constraint is long.
const longClause = 16

// separate returns the open variables, without auxiliary ones, of the long constraints that share none with another.
func (g *general) separate() (vars []cnf.Lit) {
	for i := range g.problem.Constraints {
		if g.Open(i) < longClause || !g.Binds(i) {
			continue
		}
		before := len(vars)
		for _, l := range g.problem.Constraints[i].Lits {
			if !g.IsOpen(l) {
				continue
			}
			if g.binding(l) != 1 || g.binding(l.Not()) != 0 {
				vars = vars[:before]
				break
			}
			if v := l.Var(); v <= g.own {
				vars = append(vars, v.Pos())
			}
		}
	}
	return vars
}

// binding returns how many of the constraints with a literal bind.
func (g *general) binding(l cnf.Lit) (binding int) {
	for _, i := range g.Of(l) {
		if g.Binds(int(i)) {
			binding++
		}
	}
	return binding
}

func (g *general) refute(l cnf.Lit) bool { return g.Add(l.Not()) }

func (g *general) cost() (spent, ahead uint64) {
	return g.Set(), uint64(int(g.own) + g.problem.Auxiliary - g.Len())
}

// walk implements walker. The cost of a walk with fixed choices is heavy-tailed, so
// a single solution is sought with random choices and restarts under a limit that
// doubles (Gomes, Selman and Kautz, AAAI 1998). This is still complete, and
// deterministic.
func (g *general) walk(
	ctx context.Context, through cnf.Lit, limit uint64, want wanted, found func(*partial) bool,
) error {
	g.ctx, g.limit, g.found, g.err = ctx, limit, found, nil
	g.rng, g.restart, g.apart = nil, 0, want != one && g.problem.Auxiliary > 0
	if g.next = g.Set() + pauseAfter; limit != 0 {
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
		g.err, g.restart = nil, g.Set()+budget
		g.below()
		g.Undo(start)
		if g.err != errAnew {
			return g.err
		}
	}
}

// below visits the solutions of the state, and reports whether to continue. It
// does not undo the literals it adds.
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

// Foresee estimates how many literals counting a problem's solutions sets, and reports whether that is at most most. It makes
// random descents through the tree of choices: each weighs what it sets by the number of branches at the choices before (Knuth,
// Estimating the efficiency of backtrack programs, Mathematics of Computation 29, 1975). After eight descents it stops once they
// have set a quarter of the estimate, and at the latest after the given number. If only a few descents are long, the estimate is
// too low.
func Foresee(p encode.Problem, most float64, descents int) (literals float64, is bool) {
	g := newGeneral(p)
	if g.apart = p.Auxiliary > 0; !g.start(nil) {
		return 0, true
	}
	rng := rand.New(rand.NewPCG(1, 1))
	root, began, sum := g.Len(), g.Set(), 0.0
	for k := 1; ; k++ {
		if sum += g.descend(rng, float64(descents)*most-sum); sum > float64(descents)*most {
			return 0, false
		}
		g.Undo(root)
		if literals = sum / float64(k); k == descents || k >= 8 && 4*float64(g.Set()-began) > literals {
			return literals, literals <= most
		}
	}
}

// descend makes random choices until nothing is left to choose, or a contradiction or the limit is met. It returns an estimate of
// the literals that all branches of the tree set.
func (g *general) descend(rng *rand.Rand, limit float64) (literals float64) {
	for weight := 1.0; literals <= limit; {
		i := g.Shortest()
		if i < 0 {
			break
		}
		var branches []cnf.Lit
		l, length := g.choose(i), g.Len()
		if l == 0 {
			break
		}
		for _, branch := range []cnf.Lit{l, l.Not()} {
			before := g.Set()
			if g.Add(branch) {
				branches = append(branches, branch)
			}
			literals += weight * float64(g.Set()-before)
			g.Undo(length)
		}
		if len(branches) == 0 {
			break
		}
		weight *= float64(len(branches))
		g.Add(branches[rng.IntN(len(branches))])
	}
	return literals
}

// choose returns the literal of a constraint to try next. If apart is set, the literal is not of an
// auxiliary variable: it may be one from outside the constraint, or 0 if only auxiliary variables are open.
func (g *general) choose(constraint int) cnf.Lit {
	if g.first != nil {
		for _, l := range g.problem.Constraints[constraint].Lits {
			if g.first.has(l) && g.IsOpen(l) {
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
	return g.found(&g.part)
}

// completed visits the one solution of a state in which only auxiliary variables are open, if it is one:
// if some values of the auxiliary variables satisfy the constraints.
func (g *general) completed() bool {
	found, length := g.found, g.Len()
	exists := false
	g.found, g.apart = func(*partial) bool { exists = true; return false }, false
	g.below()
	g.Undo(length)
	g.found, g.apart = found, true
	if !exists {
		return g.err == nil
	}
	return g.show()
}

// goOn returns false if the context, the limit or a restart has ended the walk.
func (g *general) goOn() bool {
	if g.Set() >= g.next {
		g.next = g.Set() + pauseAfter
		if g.err = g.ctx.Err(); g.limit != 0 && g.Set() >= g.limit {
			g.err = errLimit
		}
	}
	if g.err == nil && g.restart != 0 && g.Set() >= g.restart {
		g.err = errAnew
	}
	return g.err == nil
}
