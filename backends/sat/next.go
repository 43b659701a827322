package sat

import (
	"context"

	"queens/backends"
	"queens/encode/cnf"
)

// Asking finds one solution of a question after another, with a solver of its own for the residual formula.
type Asking struct {
	*question
	oracle *Oracle
	solver map[cnf.Lit]cnf.Lit // by the problem's literal: the solver's; 0 for those that propagation settles
}

// Begin begins a question.
func (o *Oracle) Begin(assume []cnf.Lit) (*Asking, error) {
	if err := o.problem.CheckAssumptions(assume); err != nil {
		return nil, err
	}
	a := &Asking{question: newQuestion(&o.source, assume, Residual), oracle: o, solver: map[cnf.Lit]cnf.Lit{}}
	if !a.refuted {
		a.start() // now, since other questions may come before the next solution
	}
	for i, v := range a.vars {
		a.solver[v.Pos()], a.solver[v.Neg()] = cnf.Lit(i+1), -cnf.Lit(i+1)
	}
	return a, nil
}

// Next returns a solution, with a value for each variable, auxiliary ones included. If some is not empty, this solution and all
// later ones contain at least one of the literals in some that unit propagation leaves open. The status is Unknown if the
// solver gives up, after about the given number of steps, where 0 means no limit; then the next call goes on.
func (a *Asking) Next(ctx context.Context, some []cnf.Lit, steps uint64) (status backends.Status, model []cnf.Lit, err error) {
	if a.refuted {
		return backends.Unsat, nil, ctx.Err()
	}
	var clause []cnf.Lit
	for _, l := range some {
		if s := a.solver[l]; s != 0 {
			clause = append(clause, s)
		}
	}
	switch {
	case len(clause) > 0:
		a.asked.Add(clause...)
	case len(some) > 0:
		return backends.Unsat, nil, ctx.Err()
	}
	a.steps = steps
	if status, _, err = a.ask(ctx); err == nil && status == backends.Sat {
		model, err = a.oracle.model(a.asked, a.fixed, a.vars)
	}
	return status, model, err
}

// Used returns the number of steps of the last call of Next.
func (a *Asking) Used() uint64 { return a.used }

// Work returns the work so far, counted as by [Oracle.Valid].
func (a *Asking) Work() backends.Work { return a.work() }

// Close closes the solver.
func (a *Asking) Close() error { return a.close() }
