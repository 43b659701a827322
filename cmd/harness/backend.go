package main

import (
	"context"
	"errors"
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
	"queens/experiments"
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
	usable := slices.DeleteFunc(registry.All(), func(b registry.Backend) bool {
		return !slices.Contains(names, b.Name)
	})
	described := describe(usable, func(b registry.Backend) (string, string) { return b.Name, b.Doc })
	described.register(cmd, &f.name, "backend", "",
		"back-end: %s (default: the one that suits the problem and the other flags)")
	if !slices.ContainsFunc(usable, func(b registry.Backend) bool { return b.Uses.Solver }) {
		return
	}
	choices(registry.Solvers()).register(cmd, &f.solver, "solver", "", "SAT solver: %s (default gini)")
	encodings().register(cmd, &f.amo, "amo", "", "at-most-one encoding for SAT: %s (default: by the formula's size)")
	texts(sat.Formulas()).register(cmd, &f.formula, "formula", "", "formula given to the SAT solver: %s "+
		"(default residual: what unit propagation leaves; whole: all of it, under assumptions)")
}

func encodings() choices {
	var names choices
	for _, e := range amo.All() {
		names = append(names, e.Name)
	}
	return names
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
// first that uses all the given flags and has the method, trying suited first. No method
// suits every back-end.
func choose[T any](
	f *backendFlags, cmd *cobra.Command, suited registry.Backend, method string,
) (registry.Backend, error) {
	names := []string{f.name}
	if f.name == "" {
		names = append([]string{suited.Name}, registry.Names[T]()...)
	}
	var first error
	for _, name := range names {
		b, err := registry.Meeting[T](name)
		if err != nil {
			return b, choices(registry.Names[T]()).wrong("backend", name, err)
		}
		for _, o := range options() {
			if cmd.Flags().Changed(o.flag) && !o.read(b.Uses) {
				err = invalid("flag --%s: back-end %s %s", o.flag, b.Name, o.why)
				break
			}
		}
		if err == nil && method != "" && !slices.Contains(b.Methods(), method) {
			err = noMethod(b, method)
		}
		if err == nil {
			return b, nil
		}
		if first == nil {
			first = err
		}
	}
	return registry.Backend{}, first
}

// noMethod returns the error for a back-end that lacks a method, with what was probably meant.
func noMethod(b registry.Backend, method string) error {
	hint := experiments.DidYouMean(method, b.Methods())
	if b.Name == "sat" && method == "auto" {
		hint = "; auto is now --backend portfolio"
	}
	for _, other := range registry.All() {
		if slices.Contains(other.Methods(), method) {
			hint = fmt.Sprintf("; %s is a method of --backend %s", method, other.Name)
		}
	}
	return invalid("flag --method %q: back-end %s has %s%s",
		method, b.Name, strings.Join(b.Methods(), ", "), hint)
}

// ask creates the back-end for a problem, has do ask it, and closes it.
func (f *backendFlags) ask(
	ctx context.Context, b registry.Backend, p encode.Problem, pf *problemFlags, do func(backend any) error,
) (err error) {
	made, err := f.make(ctx, b, p, pf)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, registry.Close(made)) }()
	return f.diagram.limited(do(made))
}

// make creates the back-end for a problem.
func (f *backendFlags) make(ctx context.Context, b registry.Backend, p encode.Problem, pf *problemFlags) (any, error) {
	if err := b.Takes(p); err != nil {
		return nil, exit(badInput, err)
	}
	o := registry.Options{AMO: f.amo, Solver: f.solver, Formula: f.formula}
	if f.amo != "" {
		if _, err := amo.Named(f.amo); err != nil {
			return nil, encodings().wrong("amo", f.amo, err)
		}
	}
	if f.formula != "" {
		if _, err := sat.FormulaNamed(f.formula); err != nil {
			return nil, invalid("flag --formula: %w", err)
		}
	}
	if b.Uses.Solver {
		if err := registry.CheckSolver(f.solver); err != nil {
			return nil, choices(registry.Solvers()).wrong("solver", f.solver, err)
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
		o.Compile = bdd.Options{Limits: robdd.Config{MaxBytes: f.diagram.memory.limit}}
	}
	o.Compile.Progress = progressOf(ctx).compiling
	made, err := b.New(ctx, p, o)
	return made, f.diagram.limited(err)
}
