package registry

import (
	"context"
	"errors"
	"fmt"

	"queens/backends/bdd"
	"queens/backends/portfolio"
	"queens/backends/sat"
	"queens/backends/sat/external"
	"queens/backends/search"
	"queens/backends/table"
	"queens/encode"
	"queens/encode/amo"
	"queens/encode/cnf"
)

// All returns all back-ends.
func All() []Backend { return []Backend{compiles, solves, searches, portfolios, lists} }

var (
	compiles = Backend{
		Name: "bdd", Doc: "compiles a decision diagram, which then answers every question", Counting: "diagram",
		Uses:      Uses{Order: true, Diagram: true, Workers: true},
		Takes:     diagrams,
		Reference: true,
		make:      newBDD,
	}
	solves = Backend{
		Name: "sat", Doc: "asks a SAT solver under assumptions",
		Uses:      Uses{Solver: true},
		Takes:     func(encode.Problem) error { return nil },
		Reference: true,
		make:      newSAT,
	}
	searches = Backend{
		Name: "search", Doc: "backtracks, and counts by visiting solutions one by one", Counting: "enumerate",
		Uses:      Uses{Workers: true},
		Takes:     func(encode.Problem) error { return nil },
		Reference: true,
		make: func(_ context.Context, p encode.Problem, o Options) (any, error) {
			var tell func(done, total int, completions uint64)
			if o.Compile.Progress != nil {
				tell = func(done, total int, completions uint64) {
					o.Compile.Progress(bdd.Progress{
						Step: "part", Done: done, Total: total, Items: completions, Unit: "solutions",
					})
				}
			}
			return search.New(p, search.WithWorkers(o.Workers), search.WithProgress(tell)), nil
		},
	}
	portfolios = Backend{
		Name: "portfolio", Doc: "local search first, backtracking next, the SAT solver gini last; queens only",
		Takes:     portfolio.Takes,
		Reference: true,
		make:      func(_ context.Context, p encode.Problem, _ Options) (any, error) { return portfolio.New(p) },
	}
	lists = Backend{
		Name: "table", Doc: "lists all solutions, and looks answers up; for problems with few", Counting: "scan",
		Takes: table.Takes,
		make: func(ctx context.Context, p encode.Problem, o Options) (any, error) {
			return table.New(ctx, p, search.New(p).Solutions(ctx, nil), o.Compile.Limits.MaxBytes)
		},
	}
)

// diagrams takes problems that are not too large to compile.
func diagrams(p encode.Problem) error {
	if err := bdd.CheckSize(p); err != nil {
		return fmt.Errorf("%s: %w; sat takes any size", p, err)
	}
	return nil
}

func newBDD(ctx context.Context, p encode.Problem, o Options) (any, error) {
	compiled := o.Diagram
	if compiled == nil {
		o.Compile.Workers = o.Workers
		var err error
		if compiled, err = bdd.Compile(ctx, p, o.order(p), o.Compile); err != nil {
			return nil, err
		}
	}
	return bdd.New(compiled), nil
}

func newSAT(_ context.Context, p encode.Problem, o Options) (any, error) {
	var options []sat.Option
	if o.AMO != "" {
		encoding, err := amo.Named(o.AMO)
		if err != nil {
			return nil, err
		}
		options = append(options, sat.WithAMO(encoding))
	}
	if o.Formula != "" {
		formula, err := sat.FormulaNamed(o.Formula)
		if err != nil {
			return nil, err
		}
		options = append(options, sat.WithFormula(formula))
	}
	solver := o.Program
	if solver == nil {
		var err error
		if solver, err = FindSolver(o.Solver); err != nil {
			return nil, err
		}
	}
	if solver == nil {
		return sat.New(p, options...), nil
	}
	session := solver.Open()
	ask := func(ctx context.Context, f *cnf.Formula) (sat.Solver, error) { return session.New(ctx, f) }
	return outside{sat.New(p, append(options, sat.WithSolver(solver.Name, ask))...), session}, nil
}

// outside is an oracle with an outside solver, which is closed with it.
type outside struct {
	*sat.Oracle
	session *external.Session
}

// Close ends the solver's processes.
func (o outside) Close() error { return errors.Join(o.Oracle.Close(), o.session.Close()) }
