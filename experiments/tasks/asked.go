package tasks

import (
	"cmp"
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"

	"queens/ask"
	"queens/backends/sat"
	"queens/encode"
	"queens/internal/param"
	"queens/internal/system/program"
	"queens/order"
)

// Asked is what a task asks about, and whom, with the programs that its configuration describes.
type Asked struct {
	ask.Setup

	programs program.Descriptions
	last     *atomic.Pointer[built] // shared by the tasks of a kind: neighbours in a grid have the same problem
}

// built is a problem that has been built.
type built struct {
	of      ask.ProblemName
	n       int
	problem encode.Problem
}

// build returns the problem, which must not be changed. A file is read once if its name has the hash of its
// content.
func (a *Asked) build() (encode.Problem, error) {
	if a.last == nil || a.FromFile() && param.Unpinned(string(a.Problem)) == string(a.Problem) {
		return a.Build()
	}
	if last := a.last.Load(); last != nil && last.of == a.Problem && last.n == a.N {
		return last.problem, nil
	}
	p, err := a.Build()
	if err == nil {
		a.last.Store(&built{a.Problem, a.N, p})
	}
	return p, err
}

// asked returns what tasks ask about, and whom, by default. A recorded run says everything: it must not
// depend on the machine, nor change when the policy does.
func asked() Asked {
	return Asked{last: new(atomic.Pointer[built]), Setup: ask.Setup{Problem: ask.Queens, Choice: ask.Choice{
		Backend: "bdd", Method: "default", Order: "row-major", AMO: "pairwise", Solver: "gini",
		Formula: ask.FormulaName(sat.Residual), Workers: 1,
	}}}
}

// Equip implements experiments.Equipped.
func (a *Asked) Equip(programs program.Descriptions) error {
	a.programs = programs
	return cmp.Or(
		checkProgram("solver", "SAT solver", string(a.Solver), programs["solver"], a.Solver.Values()),
		checkProgram("counter", "model counter", string(a.Counter), programs["counter"], a.Counter.Values()),
	)
}

// checkProgram returns an error for a value of a field that is neither a command, the name of a
// program that a configuration describes, nor one of the known names, of which the first is built in
// and cannot be described.
func checkProgram(field, what, value string, described map[string]program.Description, known []string) error {
	if _, taken := described[known[0]]; taken {
		return &param.Error{Field: field, Text: field + "s." + known[0] + ": the name is reserved: choose another"}
	}
	names := append(slices.Sorted(maps.Keys(described)), known...)
	if value == "" || program.IsCommand(value) || slices.Contains(names, value) {
		return nil
	}
	return &param.Error{Field: field, Text: what + ` "` + value + `": expected one of ` + strings.Join(names, ", ") +
		", a name from " + field + "s, or a command" + param.DidYouMean(value, names)}
}

// ignored sets the fields of the choice that its back-end does not read to their defaults.
func (a *Asked) ignored() {
	d, err := ask.Named(string(a.Backend), 0)
	if err != nil {
		return // the check of the specification reports it
	}
	for _, field := range d.Ignores() {
		field.Of(reflect.ValueOf(&a.Choice).Elem()).Set(field.Of(reflect.ValueOf(asked().Choice)))
	}
}

// suits checks that the problem and its order exist, and that the check, unless it is nil, accepts the
// problem. A file must be there and fit: it is pinned by its content. A pinned file that has gone is
// left to the run, so that its records can be read without it. A file without cells has no row-major
// order, so that name, the default of experiments, becomes estimate. The error for what does not suit
// is a *param.Unsuited.
func (a *Asked) suits(check func(encode.Problem) error) error {
	if err := a.Sized(); err != nil {
		return err
	}
	if a.Problem == ask.Queens && check == nil && !a.Order.IsFile() {
		return nil // every named order suits queens
	}
	p, err := a.build()
	gone := a.Problem.Gone()
	if err != nil && !gone {
		if a.FromFile() {
			return err
		}
		return &param.Unsuited{Why: err.Error()}
	}
	if p.Place == nil && a.Order == "row-major" {
		a.Order = ask.Estimate
	}
	if gone {
		return nil
	}
	if a.Order.IsFile() {
		if a.Order, err = a.Order.Pinned(p); err != nil {
			return err
		}
	} else if d, unknown := ask.Named(string(a.Backend), 0); a.Backend == "" || unknown == nil && d.Reads("order") {
		named, unknown := order.ByName(string(a.Order))
		if err = unknown; err == nil {
			err = named.Takes(p)
		}
	}
	if err == nil && check != nil {
		err = check(p)
	}
	if err != nil {
		return &param.Unsuited{Why: err.Error()}
	}
	return nil
}

// accepted checks that the back-end accepts the problem; see suits.
func (a *Asked) accepted() error {
	d, err := ask.Named(string(a.Backend), 0)
	if err != nil {
		return nil // the check of the specification reports it
	}
	return a.suits(d.Accepts)
}

// checkers lists the other back-ends that answer what is wanted quickly enough to check the answer, with
// some variables fixed. For formula files only SAT is fast enough; compiling or searching may not
// terminate.
func (a *Asked) checkers(want ask.Want, fixed int) []ask.Descriptor {
	quick := func(name string) bool {
		switch name {
		case "sat":
			return true
		case "portfolio":
			return !a.FromFile()
		case "bdd":
			return !a.FromFile() && a.N <= 12
		case "search":
			return !a.FromFile() && a.N-fixed <= 24
		}
		return false
	}
	return slices.DeleteFunc(ask.Able(want), func(d ask.Descriptor) bool {
		return d.Name == string(a.Backend) || !quick(d.Name)
	})
}

// solver returns the SAT solver if it is an outside program. The check says that it is not installed,
// or does not tell its version.
func (a *Asked) solver() *program.Needed {
	if a.Solver == asked().Solver || a.Solver == "" {
		return nil
	}
	return &program.Needed{Parameter: "solver", Name: string(a.Solver),
		Find: func() error {
			_, err := a.Solver.Find(a.programs)
			return err
		},
		Check: func(ctx context.Context) error {
			_, err := a.Solver.Version(ctx, a.programs)
			return err
		}}
}

// plan returns the plan of the back-end for a problem, and what opening it may use. Fields that the
// back-end does not read are ignored.
func (a *Asked) plan(p encode.Problem, want ask.Want) (ask.Plan, ask.Resources, error) {
	all := *a
	if d, err := ask.Named(string(a.Backend), 0); err == nil {
		for _, field := range d.Ignores() {
			field.Of(reflect.ValueOf(&all.Choice).Elem()).SetZero()
		}
	}
	plan, err := ask.Resolve(p, all.Choice, want)
	return plan, ask.Resources{Programs: a.programs}, err
}

// solverIs returns the version of the SAT solver and its command; empty for a back-end
// that uses none. A solver that does not report its version is an error.
func (a *Asked) solverIs(ctx context.Context) (string, error) {
	d, err := ask.Named(string(a.Backend), 0)
	if err != nil || !d.Reads("solver") {
		return "", err
	}
	return a.Solver.Version(ctx, a.programs)
}
