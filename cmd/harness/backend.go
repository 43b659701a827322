package main

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"queens/backends/bdd"
	"queens/backends/bdd/robdd"
	"queens/choice"
	"queens/encode"
	"queens/experiments"
)

// choiceFlags are the flags that say who answers, and how: one for each field of a choice, whose
// name, help and values they have.
type choiceFlags struct {
	choice.Choice
	memory memoryFlag
	file   string // of a saved diagram
	want   choice.Ability
}

// register registers --memory and the flags for the named fields. The back-end must have the
// wanted abilities.
func (f *choiceFlags) register(cmd *cobra.Command, want choice.Ability, fields ...string) {
	f.want = want
	v := reflect.ValueOf(&f.Choice).Elem()
	for _, field := range experiments.Fields(f.Choice) {
		if !slices.Contains(fields, field.Name) {
			continue
		}
		name, value, usage := field.Name, field.Of(v), strings.TrimSuffix(field.Doc(), ".")
		if !strings.HasPrefix(usage, "SAT") {
			usage = strings.ToLower(usage[:1]) + usage[1:]
		}
		switch value.Kind() {
		case reflect.Bool:
			cmd.Flags().BoolVar(value.Addr().Interface().(*bool), name, false, usage)
		case reflect.Int:
			cmd.Flags().Var((*positive)(value.Addr().Interface().(*int)), name, usage+" (default: all)")
		default:
			accepted := choices(value.Interface().(experiments.Enumerated).Values())
			if name == "backend" {
				accepted = described(choice.Able(want))
			}
			usage += ": %s"
			if p, ok := value.Interface().(experiments.Patterned); ok && name != "solver" {
				_, title := p.Pattern()
				usage += ", " + title
			}
			pointer := value.Addr().Convert(reflect.TypeFor[*string]()).Interface().(*string)
			if value.IsZero() {
				usage += " (default: what suits the problem)"
			}
			if name == "order" || name == "method" { // withCompletions completes them better
				if name == "order" {
					accepted = choices{"a name from harness order list"}
				}
				cmd.Flags().StringVar(pointer, name, value.String(), strings.Replace(usage, "%s", accepted.String(), 1))
				break
			}
			accepted.register(cmd, pointer, name, value.String(), usage)
		}
	}
	f.memory.register(cmd)
}

// positive is a flag's value: a number of at least 1; 0 until it is given.
type positive int

// Set implements [pflag.Value].
func (p *positive) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err == nil && n < 1 {
		err = strconv.ErrRange
	}
	*p = positive(n)
	return err
}

// Type implements [pflag.Value].
func (p *positive) Type() string { return "number" }

// String implements [pflag.Value].
func (p *positive) String() string {
	if *p == 0 {
		return ""
	}
	return strconv.Itoa(int(*p))
}

// registerFile registers --diagram-file, for commands that ask a diagram.
func (f *choiceFlags) registerFile(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.file, "diagram-file", "",
		"load the diagram from this file, written by compile -o, instead of building it")
	for _, other := range []string{"construction", "order", "workers"} {
		cmd.MarkFlagsMutuallyExclusive("diagram-file", other)
	}
}

// described returns the back-ends' names with what they do, for completion.
func described(list []choice.Backend) choices {
	return describe(list, func(b choice.Backend) (string, string) { return b.Name, b.Doc })
}

// backendHelp lists back-ends and, if they are asked what is possible, their methods.
func backendHelp(list []choice.Backend, methods bool) string {
	var text strings.Builder
	for _, b := range list {
		fmt.Fprintf(&text, "  %-10s %s\n", b.Name, b.Doc)
		if methods {
			fmt.Fprintf(&text, "  %-10s   (%s)\n", "", strings.Join(b.Methods(), ", "))
		}
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// flagged turns an error about a field of a choice into one about the flag, and one about memory
// into one that says where the limit comes from.
func (f *choiceFlags) flagged(err error) error {
	var field *experiments.FieldError
	var limit *robdd.LimitError
	switch {
	case errors.As(err, &field):
		return invalid("flag --%w", field)
	case errors.As(err, &limit):
		return exit(runsFailed, fmt.Errorf("%w: %s", err, f.memory.origin))
	}
	return err
}

// resources returns what a command may use for a problem: the memory, a saved diagram, and the
// order that came with the problem.
func (f *choiceFlags) resources(ctx context.Context, p encode.Problem, b *problemFlags) (choice.Resources, error) {
	r := choice.Resources{Bytes: f.memory.limit, FileOrder: b.cnfOrder, Progress: progressOf(ctx).compiling}
	var err error
	if f.file != "" {
		r.Diagram, err = f.load(ctx, p)
	}
	return r, err
}

// ask opens the back-end for a problem, has do ask it, and closes it.
func (f *choiceFlags) ask(
	ctx context.Context, p encode.Problem, b *problemFlags, want choice.Ability, do func(*choice.Answerer) error,
) (err error) {
	c := f.Choice
	if f.file != "" && c.Backend == "" {
		c.Backend = "bdd"
	}
	plan, err := choice.Resolve(p, c, want)
	if err != nil {
		return refused(f.flagged(err))
	}
	if f.file != "" && plan.Backend.Name != "bdd" {
		return invalid("flag --diagram-file: back-end %s builds no diagram", plan.Backend.Name)
	}
	r, err := f.resources(ctx, p, b)
	if err != nil {
		return err
	}
	made, err := plan.Open(ctx, r)
	if err != nil {
		return f.flagged(err)
	}
	defer func() { err = errors.Join(err, made.Close()) }()
	return f.flagged(do(made))
}

// refused marks an error about a problem that no back-end takes as bad input.
func refused(err error) error {
	if errors.As(err, new(*codedError)) {
		return err
	}
	return exit(badInput, err)
}

// compile builds the diagram that the flags describe.
func (f *choiceFlags) compile(ctx context.Context, p encode.Problem, b *problemFlags) (*bdd.Compiled, choice.Choice, error) {
	if err := bdd.CheckSize(p); err != nil {
		return nil, f.Choice, invalid("%s: %w", p, err)
	}
	r, err := f.resources(ctx, p, b)
	if err != nil {
		return nil, f.Choice, err
	}
	if r.Diagram != nil {
		return r.Diagram, f.Choice, nil
	}
	c, chosen, err := choice.Compile(ctx, p, f.Choice, r)
	return c, chosen, f.flagged(err)
}
