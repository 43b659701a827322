package portfolio

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"

	"queens/backends"
	"queens/backends/near"
	"queens/backends/sat"
	"queens/encode"
	"queens/encode/cnf"
)

// Formula answers questions about any problem by near and sat. Make it with [NewFormula].
//
// To find what is possible, they take turns. Each turn has a patience: the steps that a contestant may take without settling
// anything. The first has as many as the problem has literals, since a solver must read it, and each later pair of turns has twice
// as many. sat's turn has twice the steps of near's. So neither waits much longer than twice what it has worked itself, unless the
// other keeps settling values. What is settled stays, and so do learned clauses.
type Formula struct {
	problem encode.Problem
	near    *near.Oracle
	sat     *sat.Oracle // nil if the memory does not suffice for both
}

var _ backends.Bounded = (*Formula)(nil)

// NewFormula returns a Formula for the problem, which must have no weights ([encode.Problem.Counting] takes them out). The
// solver takes part only if both contestants fit into the given number of bytes, as far as can be known before; 0 means no
// limit.
func NewFormula(p encode.Problem, bytes int64) *Formula {
	f := &Formula{problem: p, near: near.New(p)}
	if bytes == 0 || near.LeastBytes(p)+sat.LeastBytes(p) <= bytes {
		f.sat = sat.New(p)
	}
	return f
}

// Watch has each settled literal reported, as [near.Oracle.Settled] says.
func (f *Formula) Watch(settled func(refuted cnf.Lit, settled, of int)) { f.near.Settled = settled }

// patience returns the steps of the first turn.
func (f *Formula) patience() uint64 { return uint64(1 + f.problem.AllVars() + f.problem.NumLiterals()) }

// share is what a contestant has settled and spent.
type share struct{ settled, steps int64 }

// Valid implements [backends.Backend]. Its work says how many targets each contestant settled (of each variable, that it can be
// true, and that it can be false), and in how many steps; a step is a few literals set. The last count is the solver's calls.
func (f *Formula) Valid(ctx context.Context, assume []cnf.Lit, method string) (valid backends.Valid, err error) {
	way, err := backends.Choose(ways, "portfolio", method)
	if err != nil {
		return valid, err
	}
	q, err := f.near.Begin(assume, way.Remembers)
	if err != nil {
		return valid, err
	}
	var changes, solver share
	var asking *sat.Asking
	for patience := f.patience(); err == nil && !q.Done(); patience *= 2 {
		changes.during(q, func() (used uint64) {
			used, err = q.Turn(ctx, patience)
			return used
		})
		if err != nil || q.Done() || f.sat == nil {
			continue
		}
		if asking == nil {
			if asking, err = f.sat.Begin(assume); err != nil {
				break
			}
			defer func() { err = errors.Join(err, asking.Close()) }()
		}
		solver.during(q, func() (used uint64) {
			used, err = ask(ctx, q, asking, 2*patience)
			return used
		})
	}
	if err != nil {
		return valid, fmt.Errorf("finding what is possible in %s: %w", f.problem, err)
	}
	valid = q.Answer()
	valid.Method = way.Name
	valid.Work = backends.Work{{Name: "near settled", N: changes.settled}, {Name: "near steps", N: changes.steps},
		{Name: "sat settled", N: solver.settled}, {Name: "sat steps", N: solver.steps}, {Name: "sat solves"}}
	if asking != nil {
		valid.Work[4].N = asking.Work().Of("solves")
	}
	return valid, nil
}

// during runs a turn, and adds what it has settled and spent.
func (s *share) during(q *near.Question, turn func() uint64) {
	left := q.Left()
	s.steps += int64(turn())
	s.settled += int64(left - q.Left())
}

// ask lets the solver settle targets, until all are settled, or for as many steps as it may take without settling one.
func ask(ctx context.Context, q *near.Question, asking *sat.Asking, patience uint64) (used uint64, err error) {
	for since := uint64(0); !q.Done() && since < patience; {
		var open []cnf.Lit
		if q.Satisfiable() {
			open = q.Open()
		}
		status, model, err := asking.Next(ctx, open, patience-since)
		used, since = used+asking.Used(), since+asking.Used()
		switch {
		case err != nil:
			return used, err
		case status == backends.Unsat:
			q.RefuteOpen()
		case status == backends.Sat:
			if err := q.Show(ctx, model); err != nil {
				return used, err
			}
			since = 0
		}
	}
	return used, nil
}

// Solve implements [backends.Backend].
func (f *Formula) Solve(ctx context.Context, assume []cnf.Lit) (backends.Answer, error) {
	answer, _, err := f.SolveWithin(ctx, assume, 0)
	return answer, err
}

// SolveWithin implements [backends.Bounded]: near looks for a solution for as many steps as the problem has literals, and then sat.
// On 182 feature models near needed no more, and on random formulas where it did, sat was mostly sooner.
func (f *Formula) SolveWithin(ctx context.Context, assume []cnf.Lit, steps uint64) (answer backends.Answer, used uint64, err error) {
	if f.sat == nil {
		answer, used, err = f.near.SolveWithin(ctx, assume, steps)
		answer.By = "near"
		return answer, used, err
	}
	first, rest := f.patience(), uint64(0)
	if steps > 0 {
		first = min(first, steps)
	}
	answer, used, err = f.near.SolveWithin(ctx, assume, first)
	if err != nil || answer.Status != backends.Unknown {
		answer.By = "near"
		return answer, used, err
	}
	if steps > 0 {
		if used >= steps {
			return answer, used, nil
		}
		rest = steps - used
	}
	answer, took, err := f.sat.SolveWithin(ctx, assume, rest)
	answer.By = "sat"
	return answer, used + took, err
}

func (f *Formula) contestants() []backends.Bounded {
	if f.sat == nil {
		return []backends.Bounded{f.near}
	}
	return []backends.Bounded{f.near, f.sat}
}

// Solutions implements [backends.Backend]: sat lists them, or near if it is alone.
func (f *Formula) Solutions(ctx context.Context, assume []cnf.Lit) iter.Seq2[[]cnf.Lit, error] {
	list := f.contestants()
	return list[len(list)-1].Solutions(ctx, assume)
}

// Stats implements [backends.Backend].
func (f *Formula) Stats() (stats backends.Stats) {
	for _, by := range f.contestants() {
		stats.Bytes += by.Stats().Bytes
	}
	return stats
}

// Close implements [backends.Backend].
func (f *Formula) Close() (err error) {
	for _, by := range f.contestants() {
		err = cmp.Or(err, by.Close())
	}
	return err
}
