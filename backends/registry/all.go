package registry

import (
	"context"
	"fmt"
	"math/big"

	"queens/backends"
	"queens/backends/bdd"
	"queens/backends/portfolio"
	"queens/backends/sat"
	"queens/backends/sat/external"
	"queens/backends/search"
	"queens/encode"
	"queens/encode/amo"
	"queens/encode/cnf"
	"queens/order"
)

// All returns the back-ends: the one list.
func All() []Backend {
	return []Backend{
		{
			Name: "bdd", Doc: "compiles a decision diagram, which then answers everything",
			Uses:  Uses{Order: true},
			Takes: boardsTo(bdd.MaxN, "bdd", "sat, search and portfolio take larger boards"),
			make:  newBDD,
		},
		{
			Name: "sat", Doc: "asks a SAT solver under assumptions",
			Uses:  Uses{AMO: true, Solver: true},
			Takes: func(encode.Problem) error { return nil },
			make:  newSAT,
		},
		{
			Name: "search", Doc: "exact backtracking",
			Takes: boardsTo(encode.MaxN, "search", ""),
			make:  func(_ context.Context, p encode.Problem, _ Options) (any, error) { return search.New(p), nil },
		},
		{
			Name: "portfolio", Doc: "local search first, backtracking next, the SAT solver gini last",
			Takes: portfolio.Takes,
			make:  func(_ context.Context, p encode.Problem, _ Options) (any, error) { return portfolio.New(p) },
		},
		{
			Name: "free-set", Doc: "counts by the sweep of that construction, a frontier at a time, and keeps no diagram",
			Uses:  Uses{Order: true},
			Takes: boardsTo(bdd.MaxN, "free-set", "search counts on larger boards"),
			make: func(_ context.Context, p encode.Problem, o Options) (any, error) {
				return freeSet{p, o.order(p), o.Compile}, nil
			},
		},
	}
}

// boardsTo takes queens up to a size.
func boardsTo(n int, name, beyond string) func(encode.Problem) error {
	return func(p encode.Problem) error {
		switch {
		case !p.IsQueens():
			return fmt.Errorf("%s: back-end %s takes queens alone; sat takes any problem", p, name)
		case p.N > n:
			return fmt.Errorf("%s: back-end %s takes boards of up to %d; %s", p, name, n, beyond)
		}
		return nil
	}
}

func newBDD(ctx context.Context, p encode.Problem, o Options) (any, error) {
	compiled := o.Diagram
	if compiled == nil {
		var err error
		if compiled, err = bdd.Compile(ctx, p, o.order(p), o.Compile); err != nil {
			return nil, err
		}
	}
	return bdd.New(compiled), nil
}

func newSAT(_ context.Context, p encode.Problem, o Options) (any, error) {
	var options []sat.Option
	encoding := amo.Default(p.Pairs())
	if o.AMO != "" {
		var err error
		if encoding, err = amo.Named(o.AMO); err != nil {
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
	if o.Solver != "" && o.Solver != "gini" {
		solver, err := external.Find(o.Solver)
		if err != nil {
			return nil, err
		}
		return external.New(p, solver, encoding), nil
	}
	return sat.New(p, options...), nil
}

// freeSet is [bdd.Count] as a back-end that counts and does nothing else.
type freeSet struct {
	problem encode.Problem
	order   order.Order
	compile bdd.Options
}

var _ backends.Counter = freeSet{}

func (f freeSet) Count(ctx context.Context, assume []cnf.Lit) (*big.Int, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := f.problem.CheckAssumptions(assume); err != nil {
		return nil, err
	}
	fixed := map[cnf.Lit]bool{}
	for _, l := range f.problem.Fixed {
		fixed[l] = true
	}
	p := f.problem
	for _, l := range assume {
		if fixed[l.Not()] {
			return new(big.Int), nil
		}
		if !fixed[l] {
			fixed[l] = true
			p = p.With(l)
		}
	}
	count, _, err := bdd.Count(ctx, p, f.order, f.compile.Limits)
	return new(big.Int).SetUint64(count), err
}
