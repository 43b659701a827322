package bdd

import (
	"context"
	"math/bits"
	"slices"

	"queens/backends"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
	"queens/robdd"
)

// The ways to find the valid cells.
const (
	// SweepZDD answers for all cells at once by one or two passes over the ZDD, which
	// has about a tenth of the nodes of the ROBDD.
	SweepZDD = "sweep-zdd"
	// Annotated ends at the lowest level that the question assumes something about, and reads what lies below
	// from the nodes there. The first questions of a session take longer, and it needs twice the memory.
	Annotated = "annotated"
	// Sweep does the same as SweepZDD on the ROBDD.
	Sweep = "sweep"
)

// Methods lists the ways to find the valid cells, the best first.
func Methods() []string {
	return []string{SweepZDD, Annotated, Sweep, Restrict, Session, AnySat, AllSat}
}

// through finds the possible variables by a query.
func (o *Oracle) through(
	ctx context.Context, query *robdd.Possible, assume []cnf.Lit,
) (found backends.Valid, visited int, err error) {
	satisfiable, turn, err := o.begin(ctx, query, assume)
	walked := 0 // nodes, by the finder
	for err == nil && satisfiable {
		unseen, visited := query.Unseen(), query.Visited()+walked
		if len(unseen) == 0 {
			break
		}
		if query == o.onZDD && len(unseen) <= maxOne && visited > cheap {
			most, done := 3*visited, false
			visited, done, err = o.oneByOne(ctx, assume, turn, unseen, most)
			if walked += visited; done || err != nil {
				break
			}
		}
		err = query.Widen(ctx)
	}
	visited = query.Visited() + walked
	switch {
	case err != nil:
		return found, 0, err
	case satisfiable && o.onBoard(assume):
		return o.cellsOf(query, turn), visited, nil
	}
	return o.listed(satisfiable, query.CanBe), visited, nil
}

// begin begins a question, which on a board is asked by levels and may be turned. One that is asked of an
// annotated diagram assumes nothing of the levels below its own literals: what follows there, the
// annotation knows.
func (o *Oracle) begin(
	ctx context.Context, query *robdd.Possible, assume []cnf.Lit,
) (satisfiable bool, turn board.Symmetry, err error) {
	if err = o.check(ctx, assume); err != nil {
		return false, 0, err
	}
	if o.onBoard(assume) {
		turn = o.highest(assume)
	}
	end := o.problem.NumVars()
	if query == o.annotated {
		end = o.below(assume, turn)
	}
	switch {
	case !o.onBoard(assume):
		lits := slices.DeleteFunc(o.asked.from(assume, 0), func(l robdd.Lit) bool {
			return end < o.problem.NumVars() && o.compiled.made.LevelOf(l.Var()) >= end
		})
		satisfiable, err = query.Begin(ctx, lits)
	case !o.asked.put(assume):
		satisfiable, err = query.Begin(ctx, contradiction(assume))
	default:
		queens, free := o.asked.above(end, turn)
		satisfiable, err = query.BeginOnly(ctx, end, queens, free)
	}
	return satisfiable, turn, err
}

const (
	maxOne = 64      // values that are looked for one by one
	cheap  = 1 << 10 // nodes: if no more were visited, it is cheaper to visit more of each level
)

// oneByOne looks for a solution with each literal that o.onZDD has not seen under the question's
// assumptions. It is not done if that visits more nodes than it may. Few literals are left, and what
// follows from one keeps the walk to a solution short: at n = 14 this takes a half off valid cells
// with a quarter of the queens placed, where visiting more nodes of each level visits nearly all.
func (o *Oracle) oneByOne(
	ctx context.Context, assume []cnf.Lit, turn board.Symmetry, unseen []robdd.Lit, most int,
) (visited int, done bool, err error) {
	finder, err := o.finds(ctx)
	if err != nil {
		return 0, false, err
	}
	lits := make([]cnf.Lit, len(assume), len(assume)+1)
	for i, l := range assume {
		if lits[i] = l; turn != 0 {
			lits[i] = encode.Turned(o.problem.N, turn, l)
		}
	}
	for _, l := range unseen {
		if o.onZDD.CanBe(l) { // an earlier one's solution shows it
			continue
		}
		if visited > most {
			return visited, false, nil
		}
		solution, err := finder.Any(ctx, o.further.from(append(lits, cnf.Lit(l)), 0))
		if err != nil {
			return visited, false, err
		}
		visited += finder.Visited()
		o.onZDD.Note(solution)
	}
	return visited, true, nil
}

// throughZDD finds the possible variables by [SweepZDD] or [Annotated].
func (o *Oracle) throughZDD(
	ctx context.Context, zdd *robdd.Diagram, assume []cnf.Lit, annotated bool,
) (found backends.Valid, visited int, err error) {
	if len(assume) > 0 || o.known.cover == nil {
		query := &o.onZDD
		if annotated {
			query = &o.annotated
		}
		if *query == nil {
			if *query = robdd.NewPossible(zdd); annotated {
				*query = robdd.NewAnnotated(zdd, o.known.cover == nil)
			}
		}
		return o.through(ctx, *query, assume)
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

// Valid implements [backends.Backend]. Its work is the number of nodes in the
// diagram used, of nodes that a sweep visited, and of nodes created.
func (o *Oracle) Valid(ctx context.Context, assume []cnf.Lit, method string) (found backends.Valid, err error) {
	if method, err = backends.Method(Methods(), "bdd", method); err != nil {
		return backends.Valid{}, err
	}
	var d *robdd.Diagram
	var created uint64
	visited := 0
	kind := robdd.ZDD
	if method == Sweep || method == Restrict || method == Session {
		kind = robdd.BDD
	}
	if d, err = o.compiled.As(ctx, kind); err != nil {
		return backends.Valid{}, err
	}
	switch method {
	case SweepZDD, Annotated:
		found, visited, err = o.throughZDD(ctx, d, assume, method == Annotated)
	case Sweep:
		if o.onROBDD == nil {
			o.onROBDD = robdd.NewPossible(d)
		}
		found, visited, err = o.through(ctx, o.onROBDD, assume)
	case Restrict, Session:
		found, created, err = o.restrict(ctx, d, assume, method == Session)
	case AnySat:
		found, visited, err = o.anySat(ctx, assume)
	case AllSat:
		found, visited, err = o.allSat(ctx, d, assume)
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

// cellsOf makes the answer to a question that has a solution: the queens on its board, and
// the free cells whose images can hold one.
func (o *Oracle) cellsOf(query *robdd.Possible, turn board.Symmetry) backends.Valid {
	n, levels := o.problem.N, o.known.levels[turn]
	most := n // one for each queen
	for _, cells := range o.asked.cells.Free {
		most += bits.OnesCount64(cells)
	}
	memory := make([]cnf.Var, most+n) // for both lists
	vars, forced := memory[:0:most], memory[most:most]
	for row, queen := range o.asked.cells.Cols {
		before := len(vars)
		if queen >= 0 {
			vars = append(vars, cnf.Var(row*n+int(queen)+1))
		}
		for w, cells := range o.asked.cells.Row(row) {
			for ; cells != 0; cells &= cells - 1 {
				cell := row*n + w<<6 + bits.TrailingZeros64(cells)
				if query.CanBeTrue(int(levels[cell])) {
					vars = append(vars, cnf.Var(cell+1))
				}
			}
		}
		if len(vars) == before+1 {
			forced = append(forced, vars[before])
		}
	}
	return backends.Valid{Satisfiable: true, Possible: vars, Forced: forced}
}
