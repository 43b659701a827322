package bdd

import (
	"context"

	"queens/backends"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
	"queens/robdd"
)

// asker prepares questions: it checks assumptions, adds what follows from them, and maps boards by
// symmetries.
type asker struct {
	compiled *Compiled
	problem  encode.Problem
	known    *knowledge
	asked    propagation   // the present question
	finder   *robdd.Finder // nil until needed
}

// effort is the work of an answer, in nodes.
type effort struct {
	visited int
	created uint64
}

// check returns an error if the context has ended or the assumptions are not literals of the problem.
func (a *asker) check(ctx context.Context, assume []cnf.Lit) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return a.problem.CheckAssumptions(assume)
}

// onBoard reports whether a question is put in terms of cells: see knowledge.go.
func (a *asker) onBoard(assume []cnf.Lit) bool { return a.known.board && len(assume) > 0 }

// assumptions checks a question, and returns the assumed literals and those that follow from them.
func (a *asker) assumptions(ctx context.Context, lits []cnf.Lit) ([]robdd.Lit, error) {
	if err := a.check(ctx, lits); err != nil {
		return nil, err
	}
	return a.asked.from(lits, 0), nil
}

// turned is like assumptions, but maps the cells by a symmetry, which it returns.
func (a *asker) turned(
	ctx context.Context, lits []cnf.Lit,
) (assume []robdd.Lit, turn board.Symmetry, err error) {
	if err := a.check(ctx, lits); err != nil {
		return nil, 0, err
	}
	if a.onBoard(lits) {
		turn = a.known.highest(lits)
	}
	return a.asked.from(lits, turn), turn, nil
}

// finds returns the finder of solutions, and makes it if necessary.
func (a *asker) finds(ctx context.Context) (*robdd.Finder, error) {
	if a.finder == nil {
		zdd, err := a.compiled.As(ctx, robdd.ZDD)
		if err != nil {
			return nil, err
		}
		a.finder = robdd.NewFinder(zdd)
	}
	return a.finder, nil
}

// listed makes the answer from can, which reports whether a literal can be true. With a cover it asks
// about positive literals only.
func (a *asker) listed(satisfiable bool, can func(robdd.Lit) bool) backends.Valid {
	p, cover := backends.Valid{Satisfiable: satisfiable}, a.known.cover
	if n := a.problem.NumVars(); satisfiable {
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
