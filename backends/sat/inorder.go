package sat

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"queens/backends"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

// SolutionsInOrder iterates over the solutions under assume in the lexicographic
// order of their columns, row by row: an order that does not depend on the solver.
// It costs a query for each cell tried that is neither attacked nor known from the
// last model, where Solutions costs one a solution. The Oracle may be asked other
// questions between two steps.
func (o *Oracle) SolutionsInOrder(ctx context.Context, assume []cnf.Lit) iter.Seq2[[]cnf.Lit, error] {
	return func(yield func([]cnf.Lit, error) bool) {
		if err := o.check(assume); err != nil {
			yield(nil, err)
			return
		}
		l := &lister{oracle: o, ctx: ctx, assume: slices.Clone(assume), yield: yield}
		if found, err := l.ask(); err != nil {
			yield(nil, err)
		} else if found {
			l.below(0)
		}
	}
}

// lister walks the tree of the first rows' columns, entering branches that hold a
// solution only.
type lister struct {
	oracle *Oracle
	ctx    context.Context
	yield  func([]cnf.Lit, error) bool

	assume []cnf.Lit    // the question's, then a queen for each row of the branch
	queens []board.Cell // the branch
	model  []cnf.Lit    // a solution met on the way
	cols   []int        // its columns
}

// ask looks for a solution in the branch.
func (l *lister) ask() (found bool, err error) {
	o := l.oracle
	s := o.solver()
	status, _, err := s.solve(l.ctx, l.assume)
	if err != nil {
		return false, fmt.Errorf("enumerating the solutions of %d queens with gini: %w", o.problem.N, err)
	}
	if status == backends.Unsat {
		return false, nil
	}
	if l.model, err = o.model(s); err != nil {
		return false, err
	}
	var queens []board.Cell
	for i, lit := range l.model {
		if lit.Positive() {
			queens = append(queens, board.At(o.problem.N, i))
		}
	}
	l.cols, err = board.Columns(o.problem.N, queens)
	return true, err
}

// below visits the branch's solutions, of which there is at least one, and reports
// whether to go on.
func (l *lister) below(row int) bool {
	n := l.oracle.problem.N
	if row == n {
		return l.yield(slices.Clone(l.model), nil)
	}
	for col := range n {
		c := board.Cell{Row: row, Col: col}
		if slices.ContainsFunc(l.queens, c.Attacks) {
			continue
		}
		l.assume = append(l.assume, encode.CellVar(n, c).Pos())
		l.queens = append(l.queens, c)
		found, more := l.known(), true
		if !found {
			var err error
			if found, err = l.ask(); err != nil {
				l.yield(nil, err)
				return false
			}
		}
		if found {
			more = l.below(row + 1)
		}
		l.assume = l.assume[:len(l.assume)-1]
		l.queens = l.queens[:len(l.queens)-1]
		if !more {
			return false
		}
	}
	return true
}

// known reports whether the last model lies in the branch.
func (l *lister) known() bool {
	for _, c := range l.queens {
		if l.cols[c.Row] != c.Col {
			return false
		}
	}
	return true
}
