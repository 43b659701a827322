package tasks

import (
	"context"
	"errors"

	"queens/ask"
	"queens/backends/sat/solvers"
	"queens/encode"
	"queens/encode/cnf"
	"queens/experiments"
	"queens/internal/param"
)

// start opens the back-end for a problem in the phase Build. Before that it checks the choice and finds
// solverIs, the version and command of the SAT solver.
func start(ctx context.Context, m *experiments.Meter, of *Asked, p encode.Problem, want ask.Want) (
	opened *ask.Opened, solverIs string, err error) {
	if solverIs, err = of.solverIs(ctx); err != nil {
		return nil, "", err
	}
	plan, resources, err := of.plan(p, want)
	if err != nil {
		return nil, "", err
	}
	opened, err = experiments.Measured(m, experiments.Build,
		func() (*ask.Opened, error) { return ask.Begin(ctx, plan, resources) })
	return opened, solverIs, err
}

// put asks an opened back-end a question, timed as part of the phase. An outside solver's model that is none is a
// Contradiction.
func put(ctx context.Context, m *experiments.Meter, phase experiments.Phase, s *ask.Opened, q ask.Question) (ask.Answer, error) {
	a, err := experiments.Measured(m, phase, func() (ask.Answer, error) { return s.Ask(ctx, q) })
	if wrong := solvers.WrongModel(""); errors.As(err, &wrong) {
		err = &experiments.Contradiction{By: byConstraints, Err: err}
	}
	return a, err
}

// known returns the published number of solutions.
func known(s *ask.Setup) experiments.Known {
	count, source := s.Known()
	return experiments.Known{Answer: count, Source: source}
}

// unless returns nil if a run with the parameters exists, or else a *param.Unsuited.
func unless(exists bool) error {
	if exists {
		return nil
	}
	return &param.Unsuited{}
}

// The judges of solutions in the record's checked_by: the board's own rules, and the problem's constraints.
const (
	byBoard       = "board"
	byConstraints = "constraints"
)

// judged returns the board's name if there was a solution to judge, or else "".
func judged(any bool) string {
	if any {
		return byBoard
	}
	return ""
}

// literals returns the literals that make variables true.
func literals(vars []cnf.Var) (lits []cnf.Lit) {
	for _, v := range vars {
		lits = append(lits, v.Pos())
	}
	return lits
}
