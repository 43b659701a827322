package bdd

import (
	"context"
	"fmt"
	"iter"
	"math/big"
	"slices"
	"strings"

	"queens/backends"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
	"queens/robdd"
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
	others   *board.Position    // of questions asked to answer one: see follows
	units    *encode.Propagator // made when first asked for

	// Made when first asked for.
	onZDD, onROBDD *robdd.Possible
	counter        *robdd.Counter
	finder         *robdd.Finder

	asked []cnf.Lit // the present question to onZDD, and the symmetry that maps it
	turn  board.Symmetry

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
	for _, asked := range []*robdd.Possible{o.onZDD, o.onROBDD} {
		if asked != nil {
			bytes += asked.Bytes()
		}
	}
	if o.counter != nil {
		bytes += o.counter.Bytes()
	}
	if o.finder != nil {
		bytes += o.finder.Bytes()
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

// counts returns the counter of solutions.
func (o *Oracle) counts() *robdd.Counter {
	if o.counter == nil {
		o.counter = robdd.NewCounter(o.compiled.ZDD())
	}
	return o.counter
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
func (o *Oracle) onBoard(assume []cnf.Lit) bool { return o.known.board && len(assume) > 0 }

// assumptions converts literals to the engine's, in memory that the next call reuses. It adds
// the literals that unit propagation finds: the answer does not need them, but each keeps the
// question away from nodes that have no solution under the assumptions.
func (o *Oracle) assumptions(ctx context.Context, lits []cnf.Lit) ([]robdd.Lit, error) {
	switch err := o.check(ctx, lits); {
	case err != nil:
		return nil, err
	case o.onBoard(lits):
		return o.propagated(0, lits), nil
	case len(lits) == 0:
		return o.plain(lits), nil
	}
	return o.implied(lits), nil
}

// turned is like assumptions, but maps cells by the symmetry that it returns.
func (o *Oracle) turned(
	ctx context.Context, lits []cnf.Lit,
) (assume []robdd.Lit, turn board.Symmetry, err error) {
	if o.onBoard(lits) && o.check(ctx, lits) == nil {
		turn = o.uppermost(lits)
		return o.propagated(turn, lits), turn, nil
	}
	assume, err = o.assumptions(ctx, lits)
	return assume, 0, err
}

// implied returns what unit propagation finds, in memory that the next call reuses.
func (o *Oracle) implied(lits []cnf.Lit) []robdd.Lit {
	if o.units == nil {
		o.units = o.known.units.Clone()
	}
	if !o.units.Assume(lits) {
		return contradiction()
	}
	o.assume = o.assume[:0]
	for i, x := range o.units.Values() {
		if x != 0 {
			o.assume = append(o.assume, robdd.Lit(i+1)*robdd.Lit(x))
		}
	}
	return o.assume
}

// follows returns what unit propagation finds if one more literal is true, in terms of the
// question as it was mapped.
func (o *Oracle) follows(l robdd.Lit) []robdd.Lit {
	if !o.known.board {
		return o.implied(append(o.asked[:len(o.asked):len(o.asked)], cnf.Lit(l)))
	}
	o.cells, o.others = o.others, o.cells
	defer func() { o.cells, o.others = o.others, o.cells }()
	lits := make([]cnf.Lit, 0, len(o.asked)+1)
	for _, a := range o.asked {
		lits = append(lits, encode.Turned(o.problem.N, o.turn, a))
	}
	return o.propagated(0, append(lits, cnf.Lit(l)))
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
	lits, err := o.assumptions(ctx, assume)
	if err != nil {
		return backends.Answer{}, err
	}
	if o.finder == nil {
		o.finder = robdd.NewFinder(o.compiled.ZDD())
	}
	solution, err := o.finder.Any(ctx, lits)
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

// through finds the possible variables by a query.
func (o *Oracle) through(
	ctx context.Context, query *robdd.Possible, assume []cnf.Lit,
) (found backends.Valid, visited int, err error) {
	lits, turn, err := o.turned(ctx, assume)
	if err != nil {
		return found, 0, err
	}
	o.asked, o.turn = assume, turn
	satisfiable, err := query.Ask(ctx, lits)
	if err != nil {
		return found, 0, err
	}
	if satisfiable && o.onBoard(assume) {
		return o.cellsOf(query, turn), query.Visited(), nil
	}
	return o.listed(satisfiable, query.CanBe), query.Visited(), nil
}

// throughZDD finds the possible variables by [SweepZDD].
func (o *Oracle) throughZDD(
	ctx context.Context, zdd *robdd.Diagram, assume []cnf.Lit,
) (found backends.Valid, visited int, err error) {
	if len(assume) > 0 || o.known.cover == nil {
		if o.onZDD == nil {
			o.onZDD = robdd.NewPossible(zdd)
			o.onZDD.Follows = o.follows
		}
		return o.through(ctx, o.onZDD, assume)
	}
	// The high edge of every node of a reduced ZDD is on a path to a solution, so a
	// cell is possible when its level has a node: no pass is needed.
	found = o.listed(zdd.Root() != 0, func(l robdd.Lit) bool {
		first, end := zdd.Level(zdd.LevelOf(l.Var()))
		return first < end
	})
	return found, 0, ctx.Err()
}

// listed makes the answer from what can be true. With a cover it asks about positive
// literals only.
func (o *Oracle) listed(satisfiable bool, can func(robdd.Lit) bool) backends.Valid {
	p, cover := backends.Valid{Satisfiable: satisfiable}, o.known.cover
	if n := o.problem.NumVars(); satisfiable {
		p.Possible = make([]cnf.Var, 0, n)
		for v := robdd.Lit(1); int(v) <= n; v++ {
			yes := can(v)
			if yes {
				p.Possible = append(p.Possible, cnf.Var(v))
			}
			if cover == nil && !can(-v) && yes {
				p.Forced = append(p.Forced, cnf.Var(v))
			}
		}
	}
	if cover != nil {
		p.Forced = cover.Forced(p.Possible)
	}
	return p
}

// Valid implements [backends.ValidFinder]. Its work is the number of nodes in the
// diagram used, of nodes that a sweep visited, and of nodes created.
func (o *Oracle) Valid(ctx context.Context, assume []cnf.Lit, method string) (found backends.Valid, err error) {
	var d *robdd.Diagram
	var created uint64
	visited := 0
	if method == "" {
		method = SweepZDD
	}
	switch method {
	case SweepZDD:
		d = o.compiled.ZDD()
		found, visited, err = o.throughZDD(ctx, d, assume)
	case Sweep, Restrict:
		if d, err = o.compiled.As(ctx, robdd.BDD); err != nil {
			return backends.Valid{}, err
		}
		if method == Restrict {
			found, created, err = o.restrict(ctx, d, assume)
			break
		}
		if o.onROBDD == nil {
			o.onROBDD = robdd.NewPossible(d)
		}
		found, visited, err = o.through(ctx, o.onROBDD, assume)
	default:
		err = fmt.Errorf("bdd: valid-cell method %q: expected one of %s", method, strings.Join(o.Methods(), ", "))
	}
	if err != nil {
		return backends.Valid{}, err
	}
	found.Method = method
	found.Work = backends.Work{
		{Name: "nodes", N: int64(d.Len())}, {Name: "nodes visited", N: int64(visited)},
		{Name: "nodes created", N: int64(created)},
	}
	return found, nil
}

// restrict makes one cofactor by the assumptions and from it one per cell, as the
// reports' configurators did after each click; without a cover, one per literal.
func (o *Oracle) restrict(
	ctx context.Context, d *robdd.Diagram, assume []cnf.Lit,
) (found backends.Valid, created uint64, err error) {
	if err := o.check(ctx, assume); err != nil {
		return found, 0, err
	}
	if o.manager == nil {
		m, err := robdd.NewManager(d.Order(), robdd.Config{MaxBytes: o.compiled.limit})
		if err != nil {
			return found, 0, err
		}
		root, err := m.Thaw(ctx, d)
		if err != nil {
			return found, 0, err
		}
		o.manager, o.root = m, root
	}
	m, before := o.manager, o.manager.Stats().Created
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
		return found, 0, err
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
	lits, _, err := o.turned(ctx, assume)
	if err != nil {
		return nil, err
	}
	return o.counts().Count(ctx, lits)
}

// CountEach implements [backends.VarCounter].
func (o *Oracle) CountEach(ctx context.Context, assume []cnf.Lit) (*big.Int, []*big.Int, error) {
	lits, turn, err := o.turned(ctx, assume)
	if err != nil {
		return nil, nil, err
	}
	total, each, err := o.counts().CountEach(ctx, lits)
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
		lits, err := o.assumptions(ctx, assume)
		if err != nil {
			yield(nil, err)
			return
		}
		for solution, err := range o.compiled.ZDD().Solutions(ctx, lits) {
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
