package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"queens/backends/bdd"
	"queens/backends/bdd/robdd"
	"queens/backends/registry"
	"queens/backends/sat"
	"queens/encode"
	"queens/encode/amo"
)

// backendFlags are the flags that select the back-end and its options.
type backendFlags struct {
	name    string
	diagram diagramFlags
	amo     string
	solver  string
	formula string
}

// register registers the flags for a command that can use the named back-ends.
func (f *backendFlags) register(cmd *cobra.Command, names []string) {
	f.diagram.register(cmd)
	cmd.Flags().StringVar(&f.name, "backend", "",
		"back-end: "+strings.Join(names, ", ")+" (default: the one that suits the problem and the other flags)")
	if slices.ContainsFunc(names, func(name string) bool { return f.uses(name).Solver }) {
		f.registerSolver(cmd)
	}
	var described []cobra.Completion
	for _, b := range registry.All() {
		if slices.Contains(names, b.Name) {
			described = append(described, cobra.CompletionWithDesc(b.Name, b.Doc))
		}
	}
	must(
		cmd.RegisterFlagCompletionFunc("backend",
			cobra.FixedCompletions(described, cobra.ShellCompDirectiveNoFileComp)),
	)
}

func (f *backendFlags) registerSolver(cmd *cobra.Command) {
	var formulas []string
	for _, formula := range sat.Formulas() {
		formulas = append(formulas, string(formula))
	}
	for _, flag := range []struct {
		value       *string
		name, usage string
		values      []string
	}{
		{&f.solver, "solver", "SAT solver: %s (default gini)", registry.Solvers()},
		{&f.amo, "amo", "at-most-one encoding for SAT: %s (default: by the formula's size)", encodings()},
		{&f.formula, "formula", "formula given to the SAT solver: %s (default residual: what unit propagation " +
			"leaves; whole: all of it, under assumptions)", formulas},
	} {
		cmd.Flags().StringVar(flag.value, flag.name, "", fmt.Sprintf(flag.usage, strings.Join(flag.values, ", ")))
		must(
			cmd.RegisterFlagCompletionFunc(flag.name,
				cobra.FixedCompletions(flag.values, cobra.ShellCompDirectiveNoFileComp)),
		)
	}
}

func (f *backendFlags) uses(name string) registry.Uses {
	for _, b := range registry.All() {
		if b.Name == name {
			return b.Uses
		}
	}
	return registry.Uses{}
}

// option is a flag that only some back-ends use.
type option struct {
	flag string
	read func(registry.Uses) bool
	why  string // why the others do not use it
}

func options() []option {
	ordered := func(u registry.Uses) bool { return u.Order }
	compiled := func(u registry.Uses) bool { return u.Diagram }
	solved := func(u registry.Uses) bool { return u.Solver }
	shared := func(u registry.Uses) bool { return u.Workers }
	return []option{
		{"order", ordered, "has no variable order"}, {"order-file", ordered, "has no variable order"},
		{"workers", shared, "uses one processor"},
		{"construction", compiled, "builds no diagram"}, {"diagram-file", compiled, "builds no diagram"},
		{"solver", solved, "uses no SAT solver"},
		{"amo", solved, "uses no clauses"}, {"formula", solved, "uses no clauses"},
	}
}

// choose returns a back-end that implements T: the one named by --backend, or else the
// first that uses all the given flags, trying suited first.
func choose[T any](f *backendFlags, cmd *cobra.Command, suited registry.Backend) (registry.Backend, error) {
	candidates := []registry.Backend{suited}
	if f.name != "" {
		one, err := registry.Meeting[T](f.name)
		if err != nil {
			return one, named("backend", f.name, registry.Names[T](), err)
		}
		candidates[0] = one
	} else {
		for _, name := range registry.Names[T]() {
			b, err := registry.Meeting[T](name)
			if err != nil {
				return b, err
			}
			candidates = append(candidates, b)
		}
	}
	var first error
	for _, b := range candidates {
		unread := slices.IndexFunc(options(),
			func(o option) bool { return cmd.Flags().Changed(o.flag) && !o.read(b.Uses) })
		if unread < 0 {
			return b, nil
		}
		if first == nil {
			o := options()[unread]
			first = exit(badInput, fmt.Errorf("flag --%s: back-end %s %s", o.flag, b.Name, o.why))
		}
	}
	return registry.Backend{}, first
}

// make creates the back-end for a problem.
func (f *backendFlags) make(ctx context.Context, b registry.Backend, p encode.Problem, pf *problemFlags) (any, error) {
	if err := b.Takes(p); err != nil {
		return nil, exit(badInput, err)
	}
	o := registry.Options{AMO: f.amo, Solver: f.solver, Formula: f.formula}
	if f.amo != "" {
		if _, err := amo.Named(f.amo); err != nil {
			return nil, named("amo", f.amo, encodings(), err)
		}
	}
	if f.formula != "" {
		if _, err := sat.FormulaNamed(f.formula); err != nil {
			return nil, exit(badInput, fmt.Errorf("flag --formula: %w", err))
		}
	}
	if b.Uses.Solver {
		if err := registry.CheckSolver(f.solver); err != nil {
			return nil, named("solver", f.solver, registry.Solvers(), err)
		}
	}
	if b.Uses.Workers {
		if err := f.diagram.checkWorkers(); err != nil {
			return nil, err
		}
		o.Workers = f.diagram.workers
	}
	var err error
	switch {
	case b.Uses.Diagram:
		if o.Diagram, err = f.diagram.diagram(ctx, p, pf); err != nil {
			return nil, err
		}
	case b.Uses.Order:
		if o.Order, _, err = f.diagram.order.order(p, pf.cnfOrder); err != nil {
			return nil, err
		}
		o.Compile = bdd.Options{Limits: robdd.Config{MaxBytes: f.diagram.memory.bytes()}}
	}
	o.Compile.Progress = progressOf(ctx).compiling
	made, err := b.New(ctx, p, o)
	return made, f.diagram.limited(err)
}
