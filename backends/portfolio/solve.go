package portfolio

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"queens/backends"
	"queens/backends/sat"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

// Solve implements [backends.Backend] with the parts of Valid, up to the first solution. It suits many
// short questions about different placements. The core of an UNSAT answer is all assumptions, since no
// part finds a smaller one.
func (o *Oracle) Solve(ctx context.Context, assume []cnf.Lit) (backends.Answer, error) {
	if err := o.problem.CheckAssumptions(assume); err != nil {
		return backends.Answer{}, err
	}
	q := o.question(assume)
	q.one = true
	if err := q.settle(ctx); err != nil {
		return backends.Answer{}, fmt.Errorf("completing %s under %d assumptions: %w", o.problem, len(assume), err)
	}
	if q.refuted {
		return backends.Answer{Status: backends.Unsat, Core: slices.Clone(assume)}, nil
	}
	if err := board.Verify(q.solution); err != nil {
		return backends.Answer{}, fmt.Errorf("completing %s: no solution: %w", o.problem, err)
	}
	n := o.problem.N
	model := cnf.Model(n * n)
	for _, c := range board.Queens(q.solution) {
		v := encode.CellVar(n, c)
		model[v-1] = v.Pos()
	}
	return backends.Answer{Status: backends.Sat, Model: model}, nil
}

// Solutions implements [backends.Backend]: gini lists them, the only part that can on every board.
func (o *Oracle) Solutions(ctx context.Context, assume []cnf.Lit) iter.Seq2[[]cnf.Lit, error] {
	return sat.New(o.problem).Solutions(ctx, assume)
}
