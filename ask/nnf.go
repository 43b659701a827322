package ask

import (
	"context"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"slices"

	"queens/backends"
	"queens/backends/bdd"
	"queens/backends/ddnnf"
	"queens/encode"
	"queens/encode/cnf"
)

// Mismatch is the error for a file whose compiled form is not that of the problem.
type Mismatch struct{ File, Form, Problem, Why string }

// Error says how the two differ.
func (m *Mismatch) Error() string {
	return fmt.Sprintf("%s is not the %s of %s: %s", m.File, m.Form, m.Problem, m.Why)
}

// ReadDDNNF reads the problem's d-DNNF from a file that another compiler has written; see [ddnnf.Read]. Nothing in it is
// believed: see [CheckDDNNF].
func ReadDDNNF(ctx context.Context, content io.Reader, file string, p encode.Problem, r Resources) (*CompiledDDNNF, error) {
	return ddnnf.Read(ctx, content, file, p, r.Bytes)
}

// CheckedBy names what [CheckDDNNF] compares a d-DNNF with.
const CheckedBy = "constraints, portfolio, sat"

// CheckDDNNF checks a d-DNNF by code that has not compiled it. Its solutions satisfy each constraint, which is checked only
// without auxiliary variables. It finds possible what the portfolio finds possible. Of 50 solutions that are drawn from it
// and 50 that a solver finds near them it has each once. If not, the error is a [Mismatch]; name is that of the file, for
// messages.
func CheckDDNNF(ctx context.Context, g *CompiledDDNNF, name string) error {
	p := g.Problem()
	wrong := func(format string, args ...any) error {
		return &Mismatch{name, Decomposable.Title(), p.String(), fmt.Sprintf(format, args...)}
	}
	if p.Auxiliary == 0 {
		broken, err := g.Breaks(ctx)
		if err != nil {
			return err
		}
		if broken != nil {
			return wrong("a solution of it violates %q: %s of %s", broken.Name, broken.Count(), broken.Listed(p.Word))
		}
	}
	return compare(ctx, p, OracleDDNNF(g, Resources{}), ddnnf.Passes, wrong)
}

// CheckDiagram checks a diagram of another program as [CheckDDNNF] does, except for the constraints.
func CheckDiagram(ctx context.Context, c *Compiled, name string) error {
	return compare(ctx, c.Problem, Oracle(c), bdd.SweepZDD, func(format string, args ...any) error {
		return &Mismatch{name, ROBDD.Title(), c.Problem.String(), fmt.Sprintf(format, args...)}
	})
}

// sampled is a back-end that counts and draws.
type sampled interface {
	backends.Backend
	backends.Counter
	backends.Sampler
}

// compare compares what a form finds, by a method, with what the portfolio and a solver find; wrong makes the
// error.
func compare(ctx context.Context, p encode.Problem, by sampled, method string, wrong func(string, ...any) error) error {
	ours, err := Once(ctx, p, Choice{Backend: Portfolio}, Question{Want: Valid, Assume: p.Fixed}, Resources{})
	if err != nil {
		return err
	}
	theirs, err := by.Valid(ctx, p.Fixed, method)
	if err != nil {
		return err
	}
	if same := ours.Status == backends.Sat; same != theirs.Satisfiable {
		return wrong("it has a solution: %t, the problem: %t", theirs.Satisfiable, same)
	}
	if !slices.Equal(ours.Valid, theirs.Possible) || !slices.Equal(ours.Forced, theirs.Forced) {
		return wrong("it has %d variables possible and %d forced, the problem %d and %d", len(theirs.Possible), len(theirs.Forced),
			len(ours.Valid), len(ours.Forced))
	}
	if !theirs.Satisfiable {
		return nil
	}
	solver, err := Start(ctx, p, Choice{Backend: SAT}, Solve, Resources{})
	if err != nil {
		return err
	}
	defer solver.Close()
	const drawn = 50
	random, number := rand.New(rand.NewPCG(0, 0)), 0
	for model, err := range by.Samples(ctx, p.Fixed, 0) {
		if err != nil {
			return err
		}
		found, err := solver.Solve(ctx, model)
		if err == nil && found.Status == backends.Unsat {
			err = wrong("a solution of it is none of the problem")
		}
		if err == nil {
			err = once(ctx, by, model, wrong)
		}
		if err == nil { // a solution that the solver finds with some of its literals
			some := slices.DeleteFunc(slices.Clone(model), func(cnf.Lit) bool { return random.IntN(4) > 0 })
			if found, err = solver.Solve(ctx, some); err == nil && found.Status == backends.Sat {
				err = once(ctx, by, found.Model, wrong)
			}
		}
		if number++; err != nil || number == drawn {
			return err
		}
	}
	return ctx.Err()
}

// once returns an error unless a form has a solution exactly once.
func once(ctx context.Context, by sampled, solution []cnf.Lit, wrong func(string, ...any) error) error {
	times, err := by.Count(ctx, solution)
	if err == nil && times.Cmp(big.NewInt(1)) != 0 {
		err = wrong("it has a solution of the problem %v times", times)
	}
	return err
}
