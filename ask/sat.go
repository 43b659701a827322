package ask

import (
	"context"
	"errors"

	"queens/backends"
	"queens/backends/sat"
	"queens/backends/sat/solvers"
	"queens/encode"
	"queens/encode/amo"
	"queens/encode/cnf"
)

// openSAT opens the back-end that asks a SAT solver, in this process or outside it.
func openSAT(_ context.Context, p encode.Problem, c Choice, r Resources) (backends.Backend, error) {
	if err := r.suffices(c, p, sat.LeastBytes(p)); err != nil {
		return nil, err
	}
	made := sat.New(p)
	made.Formula = sat.Formula(c.Formula)
	if name := string(c.AMO); name != "" {
		encoding, err := amo.Named(name)
		if err != nil {
			return nil, err
		}
		made.AMO = encoding
	}
	if linked, is := c.Solver.Linked(); is {
		made.Solver, made.Make = linked.Name, linked.Make
		return made, nil
	}
	solver, err := c.Solver.Find(r.Programs)
	if err != nil {
		return nil, err
	}
	client := solver.Open()
	made.Solver = solver.Name
	made.Silent = true // no program tells its conflicts
	made.Make = func(f *cnf.Formula) sat.Solver { return client.New(f) }
	return outside{made, client}, nil
}

// outside is an oracle with an outside solver. Closing it also closes the solver.
type outside struct {
	*sat.Oracle
	client *solvers.Client
}

// Outside returns the outside solver's client, for callers that measure it.
func (o outside) Outside() *solvers.Client { return o.client }

// Close ends the solver's processes.
func (o outside) Close() error { return errors.Join(o.Oracle.Close(), o.client.Close()) }
