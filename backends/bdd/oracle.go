package bdd

import (
	"context"
	"fmt"
	"iter"
	"math/big"
	"slices"
	"strings"

	"queens/backends"
	"queens/backends/bdd/robdd"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

var (
	_ backends.VarCounter  = (*Oracle)(nil)
	_ backends.Enumerator  = (*Oracle)(nil)
	_ backends.ValidFinder = (*Oracle)(nil)
)

// The ways to find the valid cells.
const (
	// SweepZDD answers for all cells at once by one or two passes over the ZDD, which
	// has about a tenth of the nodes of the ROBDD.
	SweepZDD = "sweep-zdd"
	// Sweep does the same on the ROBDD.
	Sweep = "sweep"
	// Restrict makes the cofactor of every cell with the engine's operation and asks
	// whether it is false, as the student reports did.
	Restrict = "restrict"
)

// Oracle answers questions from one diagram. It serves one goroutine at a time;
// several may share the diagram.
//
// Whatever the diagram's kind, questions are put to the ZDD of the same function,
// unless a method says otherwise: few cells hold a queen, and a ZDD has no nodes for
// those that do not ([Compiled.ZDD]).
type Oracle struct {
	compiled *Compiled
	problem  encode.Problem
	known    *knowledge
	assume   []robdd.Lit
	cells    *board.Position    // of queens: see propagated
	units    *encode.Propagator // made when first asked for

	// Made when first asked for.
	onZDD, onROBDD *robdd.Sweep

	manager *robdd.Manager // for Restrict only
	root    robdd.Node
}

// New makes an Oracle of a compiled problem.
func New(c *Compiled) *Oracle {
	return &Oracle{compiled: c, problem: c.Problem, known: c.knowledge()}
}

// Bytes returns the memory that the Oracle keeps between calls, without its diagrams.
func (o *Oracle) Bytes() int64 {
	var bytes int64
	for _, sweep := range []*robdd.Sweep{o.onZDD, o.onROBDD} {
		if sweep != nil {
			bytes += sweep.Bytes()
		}
	}
	if o.manager != nil {
		bytes += int64(o.manager.Stats().Bytes)
	}
	return bytes
}

// Draw draws the ROBDD now. Otherwise the first question by [Sweep] or [Restrict] does.
func (o *Oracle) Draw(ctx context.Context) error {
	_, err := o.compiled.As(ctx, robdd.BDD)
	return err
}

// sweep returns the sweep over the ZDD.
func (o *Oracle) sweep() *robdd.Sweep {
	if o.onZDD == nil {
		o.onZDD = robdd.NewSweep(o.compiled.ZDD())
	}
	return o.onZDD
}

// check returns an error if a question cannot be asked.
func (o *Oracle) check(ctx context.Context, assume []cnf.Lit) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return o.problem.CheckAssumptions(assume)
}

// plain converts literals to the engine's, in memory that the next call reuses.
func (o *Oracle) plain(lits []cnf.Lit) []robdd.Lit {
	o.assume = o.assume[:0]
	for _, l := range lits {
		o.assume = append(o.assume, robdd.Lit(l))
	}
	return o.assume
}

// onBoard reports whether a question is asked in terms of cells: see symmetry.go.
func (o *Oracle) onBoard(sweep *robdd.Sweep, assume []cnf.Lit) bool {
	return o.known.board && len(assume) > 0 && sweep.Selective()
}

// turned is like assumptions, but maps cells by the symmetry that it returns.
func (o *Oracle) turned(
	ctx context.Context, sweep *robdd.Sweep, lits []cnf.Lit,
) (assume []robdd.Lit, turn board.Symmetry, err error) {
	if !o.onBoard(sweep, lits) || o.check(ctx, lits) != nil {
		assume, err = o.assumptions(ctx, sweep, lits)
		return assume, 0, err
	}
	turn = o.uppermost(lits)
	return o.propagated(turn, lits), turn, nil
}

// assumptions converts literals to the engine's, in memory that the next call reuses. For a
// sweep that benefits from them ([robdd.Sweep.Selective]) it adds the literals that unit
// propagation finds: the answer does not need them, but each keeps the sweep away from
// nodes that have no solution under the assumptions.
func (o *Oracle) assumptions(ctx context.Context, sweep *robdd.Sweep, lits []cnf.Lit) ([]robdd.Lit, error) {
	switch err := o.check(ctx, lits); {
	case err != nil:
		return nil, err
	case o.onBoard(sweep, lits):
		return o.propagated(0, lits), nil
	case len(lits) == 0 || !sweep.Selective():
		return o.plain(lits), nil
	}
	if o.units == nil {
		o.units = o.known.units.Clone()
	}
	if !o.units.Assume(lits) {
		return contradiction(), nil
	}
	o.assume = o.assume[:0]
	for i, x := range o.units.Values() {
		if x != 0 {
			o.assume = append(o.assume, robdd.Lit(i+1)*robdd.Lit(x))
		}
	}
	return o.assume, nil
}

// contradiction returns assumptions under which there is no solution.
func contradiction() []robdd.Lit { return []robdd.Lit{1, -1} }

func model(lits []robdd.Lit) []cnf.Lit {
	m := make([]cnf.Lit, len(lits))
	for i, l := range lits {
		m[i] = cnf.Lit(l)
	}
	return m
}

// Solve implements [backends.Oracle]. The core of an UNSAT answer is all assumptions,
// or empty when the problem has no solution.
func (o *Oracle) Solve(ctx context.Context, assume []cnf.Lit) (backends.Answer, error) {
	lits, err := o.assumptions(ctx, o.sweep(), assume)
	if err != nil {
		return backends.Answer{}, err
	}
	solution, err := o.sweep().Any(ctx, lits)
	switch {
	case err != nil:
		return backends.Answer{}, err
	case solution != nil:
		return backends.Answer{Status: backends.Sat, Model: model(solution)}, nil
	case o.compiled.ZDD().Root() == uint32(robdd.False):
		return backends.Answer{Status: backends.Unsat}, nil
	}
	return backends.Answer{Status: backends.Unsat, Core: slices.Clone(assume)}, nil
}

// Methods implements [backends.ValidFinder].
func (o *Oracle) Methods() []string { return []string{SweepZDD, Sweep, Restrict} }

// possible holds the variables that can still be true and those that are true in all
// solutions. With a cover by exactly-one constraints, the latter follow from the former.
type possible struct {
	vars, forced []cnf.Var
	satisfiable  bool
}

// through finds the possible variables by a sweep.
func (o *Oracle) through(ctx context.Context, sweep *robdd.Sweep, assume []cnf.Lit) (possible, error) {
	lits, turn, err := o.turned(ctx, sweep, assume)
	if err != nil {
		return possible{}, err
	}
	satisfiable, err := sweep.Look(ctx, lits)
	if err != nil {
		return possible{}, err
	}
	if satisfiable && o.onBoard(sweep, assume) {
		return o.cellsOf(sweep, turn), nil
	}
	return o.listed(satisfiable, sweep.CanBe), nil
}

// throughZDD finds the possible variables by [SweepZDD].
func (o *Oracle) throughZDD(ctx context.Context, assume []cnf.Lit) (possible, error) {
	if len(assume) > 0 || o.known.cover == nil {
		return o.through(ctx, o.sweep(), assume)
	}
	// The high edge of every node of a reduced ZDD is on a path to a solution, so a
	// cell is possible when its level has a node: no pass is needed.
	if err := ctx.Err(); err != nil {
		return possible{}, err
	}
	zdd := o.compiled.ZDD()
	return o.listed(zdd.Root() != 0, func(l robdd.Lit) bool {
		first, end := zdd.Level(zdd.LevelOf(l.Var()))
		return first < end
	}), nil
}

// listed makes the answer from what can be true. With a cover it asks about positive
// literals only.
func (o *Oracle) listed(satisfiable bool, can func(robdd.Lit) bool) possible {
	p, cover := possible{satisfiable: satisfiable}, o.known.cover
	if n := o.problem.NumVars(); satisfiable {
		p.vars = make([]cnf.Var, 0, n)
		for v := robdd.Lit(1); int(v) <= n; v++ {
			yes := can(v)
			if yes {
				p.vars = append(p.vars, cnf.Var(v))
			}
			if cover == nil && !can(-v) && yes {
				p.forced = append(p.forced, cnf.Var(v))
			}
		}
	}
	if cover != nil {
		p.forced = cover.Forced(p.vars)
	}
	return p
}

// Valid implements [backends.ValidFinder]. Its work is the number of nodes in the
// diagram used, of nodes that a sweep visited, and of nodes created.
func (o *Oracle) Valid(ctx context.Context, assume []cnf.Lit, method string) (backends.Valid, error) {
	var found possible
	var created uint64
	var err error
	nodes, visited := 0, 0
	if method == "" {
		method = SweepZDD
	}
	switch method {
	case SweepZDD:
		found, err = o.throughZDD(ctx, assume)
		nodes = o.compiled.ZDD().Len()
		if len(assume) > 0 {
			visited = o.sweep().Visited()
		}
	case Sweep, Restrict:
		var d *robdd.Diagram
		if d, err = o.compiled.As(ctx, robdd.BDD); err != nil {
			break
		}
		nodes = d.Len()
		if method == Restrict {
			found, created, err = o.restrict(ctx, d, assume)
			break
		}
		if o.onROBDD == nil {
			o.onROBDD = robdd.NewSweep(d)
		}
		found, err = o.through(ctx, o.onROBDD, assume)
		visited = o.onROBDD.Visited()
	default:
		err = fmt.Errorf("bdd: valid-cell method %q: expected one of %s", method, strings.Join(o.Methods(), ", "))
	}
	if err != nil {
		return backends.Valid{}, err
	}
	return backends.Valid{
		Satisfiable: found.satisfiable, Method: method,
		Possible: found.vars,
		Forced:   found.forced,
		Work: backends.Work{
			{Name: "nodes", N: int64(nodes)}, {Name: "nodes visited", N: int64(visited)},
			{Name: "nodes created", N: int64(created)},
		},
	}, nil
}

// restrict makes one cofactor by the assumptions and from it one per cell, as the
// reports' configurators did after each click; without a cover, one per literal.
func (o *Oracle) restrict(
	ctx context.Context, d *robdd.Diagram, assume []cnf.Lit,
) (found possible, created uint64, err error) {
	if o.manager == nil {
		m, err := robdd.NewManager(d.Order(), o.compiled.limits)
		if err != nil {
			return possible{}, 0, err
		}
		root, err := m.Thaw(ctx, d)
		if err != nil {
			return possible{}, 0, err
		}
		o.manager, o.root = m, root
	}
	m := o.manager
	before := m.Stats().Created
	if err := o.check(ctx, assume); err != nil {
		return possible{}, 0, err
	}
	lits := o.plain(assume)
	value := make(map[robdd.Lit]bool, len(lits))
	for _, l := range lits {
		if value[-l] {
			return o.listed(false, nil), 0, nil // contradictory
		}
		value[l] = true
	}
	f, err := m.Restrict(ctx, o.root, lits...)
	if err != nil {
		return possible{}, 0, err
	}
	found = o.listed(f != robdd.False, func(l robdd.Lit) bool {
		if value[l] || value[-l] || err != nil {
			return value[l]
		}
		var g robdd.Node
		g, err = m.Restrict(ctx, f, l)
		return g != robdd.False
	})
	return found, m.Stats().Created - before, err
}

// Count implements [backends.Counter].
func (o *Oracle) Count(ctx context.Context, assume []cnf.Lit) (*big.Int, error) {
	lits, _, err := o.turned(ctx, o.sweep(), assume)
	if err != nil {
		return nil, err
	}
	return o.sweep().Count(ctx, lits)
}

// CountEach implements [backends.VarCounter].
func (o *Oracle) CountEach(ctx context.Context, assume []cnf.Lit) (*big.Int, []*big.Int, error) {
	lits, turn, err := o.turned(ctx, o.sweep(), assume)
	if err != nil {
		return nil, nil, err
	}
	total, each, err := o.sweep().CountEach(ctx, lits)
	if err != nil || turn == 0 {
		return total, each, err
	}
	back := make([]*big.Int, len(each))
	for i := range back {
		back[i] = each[o.image(turn, i/o.problem.N, i%o.problem.N)-1]
	}
	return total, back, nil
}

// Solutions implements [backends.Enumerator]. The solutions come in the order of the
// diagram's levels, true before false.
func (o *Oracle) Solutions(ctx context.Context, assume []cnf.Lit) iter.Seq2[[]cnf.Lit, error] {
	return func(yield func([]cnf.Lit, error) bool) {
		lits, err := o.assumptions(ctx, o.sweep(), assume)
		if err != nil {
			yield(nil, err)
			return
		}
		for solution, err := range o.sweep().Solutions(ctx, lits) {
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(model(solution), nil) {
				return
			}
		}
	}
}
