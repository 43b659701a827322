package portfolio

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"queens/backends"
	"queens/backends/search"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

// Solve implements [backends.Backend] with the parts of Valid, up to the first solution. It suits many
// short questions about different placements. The core of an UNSAT answer is all assumptions, since no
// part finds a smaller one.
func (o *Oracle) Solve(ctx context.Context, assume []cnf.Lit) (backends.Answer, error) {
	answer, _, err := o.SolveWithin(ctx, assume, 0)
	return answer, err
}

// SolveWithin implements [backends.Bounded]; 0 means no limit. With a limit, the last part, backtracking without one, is
// left out. A step is one of local search, which has a limit of its own, or of backtracking.
func (o *Oracle) SolveWithin(ctx context.Context, assume []cnf.Lit, steps uint64) (backends.Answer, uint64, error) {
	if err := o.problem.CheckAssumptions(assume); err != nil {
		return backends.Answer{}, 0, err
	}
	q := o.question(assume)
	q.one, q.within = true, int64(steps)
	err := q.settle(ctx)
	used := uint64(q.local.Steps() + q.searched)
	switch {
	case err != nil:
		return backends.Answer{}, used, fmt.Errorf("completing %s under %d assumptions: %w", o.problem, len(assume), err)
	case q.refuted:
		return backends.Answer{Status: backends.Unsat, Core: slices.Clone(assume)}, used, nil
	case q.solution == nil:
		return backends.Answer{}, used, nil
	}
	if err := board.Verify(q.solution); err != nil {
		return backends.Answer{}, used, fmt.Errorf("completing %s: no solution: %w", o.problem, err)
	}
	n := o.problem.N
	model := cnf.Model(n * n)
	for _, c := range board.Queens(q.solution) {
		v := encode.CellVar(n, c)
		model[v-1] = v.Pos()
	}
	return backends.Answer{Status: backends.Sat, Model: model}, used, nil
}

// Solutions implements [backends.Backend]. Search lists the completions of boards with few open rows. On others Solve finds
// a solution, and those with one of its queens come before those without.
func (o *Oracle) Solutions(ctx context.Context, assume []cnf.Lit) iter.Seq2[[]cnf.Lit, error] {
	return func(yield func([]cnf.Lit, error) bool) {
		if err := o.problem.CheckAssumptions(assume); err != nil {
			yield(nil, err)
			return
		}
		o.list(ctx, search.New(o.problem), board.MaxMasks, slices.Clip(assume), yield)
	}
}

// list yields the solutions under assumptions, which are of the problem, and reports whether to continue. Search lists them
// where few rows are open.
func (o *Oracle) list(
	ctx context.Context, by *search.Oracle, few int, assume []cnf.Lit, yield func([]cnf.Lit, error) bool,
) (more bool) {
	for {
		p := o.problem.Position(assume)
		if p.Dead {
			return true
		}
		if p.Open() <= few {
			for model, err := range by.Solutions(ctx, assume) {
				if !yield(model, err) || err != nil {
					return false
				}
			}
			return true
		}
		answer, err := o.Solve(ctx, assume)
		if err != nil {
			yield(nil, err)
			return false
		}
		if answer.Status == backends.Unsat {
			return true
		}
		queen := slices.IndexFunc(answer.Model, func(l cnf.Lit) bool {
			return l.Positive() && p.Cols[encode.VarCell(p.N, l.Var()).Row] < 0
		})
		through := answer.Model[queen]
		if !o.list(ctx, by, few, append(assume, through), yield) {
			return false
		}
		assume = append(assume, through.Not())
	}
}
