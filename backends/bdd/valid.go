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

// sweeper finds valid cells by [SweepZDD], [Annotated] and [Sweep].
type sweeper struct {
	asker
	further                   propagation     // of the question with one more literal: see oneByOne
	onZDD, onROBDD, annotated *robdd.Possible // nil until needed
}

// through finds the possible variables with a query.
func (s *sweeper) through(
	ctx context.Context, query *robdd.Possible, assume []cnf.Lit,
) (found backends.Valid, cost effort, err error) {
	satisfiable, turn, err := s.begin(ctx, query, assume)
	walked := 0 // nodes that the finder visited
	for err == nil && satisfiable {
		unseen, visited := query.Unseen(), query.Visited()+walked
		if len(unseen) == 0 {
			break
		}
		if query == s.onZDD && len(unseen) <= maxOne && visited > cheap {
			most, done := 3*visited, false
			visited, done, err = s.oneByOne(ctx, assume, turn, unseen, most)
			if walked += visited; done || err != nil {
				break
			}
		}
		err = query.Widen(ctx)
	}
	cost.visited = query.Visited() + walked
	switch {
	case err != nil:
		return found, cost, err
	case satisfiable && s.onBoard(assume):
		return s.cellsOf(query, turn), cost, nil
	}
	return s.listed(satisfiable, query.CanBe), cost, nil
}

// begin begins a question. On a board it goes by levels and may map the question by a symmetry. With an
// annotated diagram it assumes nothing about the levels below the question's own literals: the
// annotation already covers what follows there.
func (s *sweeper) begin(
	ctx context.Context, query *robdd.Possible, assume []cnf.Lit,
) (satisfiable bool, turn board.Symmetry, err error) {
	if err = s.check(ctx, assume); err != nil {
		return false, 0, err
	}
	if s.onBoard(assume) {
		turn = s.known.highest(assume)
	}
	end := s.problem.NumVars()
	if query == s.annotated {
		end = s.known.below(assume, turn)
	}
	switch {
	case !s.onBoard(assume):
		lits := slices.DeleteFunc(s.asked.from(assume, 0), func(l robdd.Lit) bool {
			return end < s.problem.NumVars() && s.compiled.made.LevelOf(l.Var()) >= end
		})
		satisfiable, err = query.Begin(ctx, lits)
	case !s.asked.put(assume):
		satisfiable, err = query.Begin(ctx, contradiction(assume))
	default:
		queens, free := s.asked.above(end, turn)
		satisfiable, err = query.BeginOnly(ctx, end, queens, free)
	}
	return satisfiable, turn, err
}

const (
	maxOne = 64      // values: oneByOne looks for at most this number
	cheap  = 1 << 10 // nodes: up to this number of visits, it is cheaper to visit more of each level
)

// oneByOne looks for a solution with each literal that s.onZDD has not seen under the question's
// assumptions. It gives up, and returns done false, once it has visited more than most nodes. Few
// literals are left, and unit propagation from each keeps the walk to a solution short. At n = 14 this
// halves the time for valid cells with a quarter of the queens placed, where visiting more nodes of each
// level visits nearly all.
func (s *sweeper) oneByOne(
	ctx context.Context, assume []cnf.Lit, turn board.Symmetry, unseen []robdd.Lit, most int,
) (visited int, done bool, err error) {
	finder, err := s.finds(ctx)
	if err != nil {
		return 0, false, err
	}
	lits := make([]cnf.Lit, len(assume), len(assume)+1)
	for i, l := range assume {
		if lits[i] = l; turn != 0 {
			lits[i] = encode.Turned(s.problem.N, turn, l)
		}
	}
	for _, l := range unseen {
		if s.onZDD.CanBe(l) { // an earlier literal's solution contains it
			continue
		}
		if visited > most {
			return visited, false, nil
		}
		solution, err := finder.Any(ctx, s.further.from(append(lits, cnf.Lit(l)), 0))
		if err != nil {
			return visited, false, err
		}
		visited += finder.Visited()
		s.onZDD.Note(solution)
	}
	return visited, true, nil
}

// sweepZDD answers by [SweepZDD].
func (s *sweeper) sweepZDD(ctx context.Context, zdd *robdd.Diagram, assume []cnf.Lit) (backends.Valid, effort, error) {
	if s.covered(assume) {
		return s.onLevels(zdd), effort{}, ctx.Err()
	}
	if s.onZDD == nil {
		s.onZDD = robdd.NewPossible(zdd)
	}
	return s.through(ctx, s.onZDD, assume)
}

// annotatedSweep answers by [Annotated].
func (s *sweeper) annotatedSweep(
	ctx context.Context, zdd *robdd.Diagram, assume []cnf.Lit,
) (backends.Valid, effort, error) {
	if s.covered(assume) {
		return s.onLevels(zdd), effort{}, ctx.Err()
	}
	if s.annotated == nil {
		s.annotated = robdd.NewAnnotated(zdd, s.known.cover == nil)
	}
	return s.through(ctx, s.annotated, assume)
}

// sweep answers by [Sweep].
func (s *sweeper) sweep(ctx context.Context, bdd *robdd.Diagram, assume []cnf.Lit) (backends.Valid, effort, error) {
	if s.onROBDD == nil {
		s.onROBDD = robdd.NewPossible(bdd)
	}
	return s.through(ctx, s.onROBDD, assume)
}

// covered reports whether a question assumes nothing, about a problem with a cover.
func (s *sweeper) covered(assume []cnf.Lit) bool { return len(assume) == 0 && s.known.cover != nil }

// onLevels answers a covered question without a pass. The high edge of every node of a reduced ZDD is on a
// path to a solution, so a variable is possible when its level has a node.
func (s *sweeper) onLevels(zdd *robdd.Diagram) backends.Valid {
	return s.listed(zdd.Root() != 0, func(l robdd.Lit) bool {
		first, end := zdd.Level(zdd.LevelOf(l.Var()))
		return first < end
	})
}

// cellsOf returns the answer to a question that has a solution: the queens on its board, and the free
// cells whose images can have one.
func (s *sweeper) cellsOf(query *robdd.Possible, turn board.Symmetry) backends.Valid {
	n, levels := s.problem.N, s.known.levels[turn]
	most := n // one for each queen
	for _, cells := range s.asked.cells.Free {
		most += bits.OnesCount64(cells)
	}
	memory := make([]cnf.Var, most+n) // for both slices
	vars, forced := memory[:0:most], memory[most:most]
	for row, queen := range s.asked.cells.Cols {
		before := len(vars)
		if queen >= 0 {
			vars = append(vars, cnf.Var(row*n+int(queen)+1))
		}
		for w, cells := range s.asked.cells.Row(row) {
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
