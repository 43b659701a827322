package main

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"queens/ask"
	"queens/internal/param"
)

// register adds the flags for the problem and what is fixed in it, and those of [registerChoice].
func (f *flags) register(cmd *cobra.Command, want ask.Want, fields ...string) {
	f.registerProblem(cmd)
	cmd.Flags().Var(list{&f.place}, "place", "cells with queens, comma-separated, as in a1,c2")
	cmd.Flags().Var(list{&f.block}, "block", "cells that stay empty, comma-separated")
	cmd.Flags().Var(list{&f.assume}, "assume",
		"literals assumed true, comma-separated: names or numbers of variables, with - for not, as in a1,-b2 or 3,-5")
	cmd.Flags().StringVar(&f.instance, "instance", "",
		"board from this file of CSPLib, in place of -n: completion, blocked, or excluded diagonals")
	cmd.Flags().StringVar(&f.instance, "diagonals", "", "the same as --instance")
	cmd.Flags().Lookup("diagonals").Hidden = true // its name before
	cmd.Flags().IntVar(&f.exclude, "exclude", -1, "how many diagonals of the --instance stay empty, from the first on; -1 for all")
	for _, name := range []string{"instance", "diagonals"} {
		for _, other := range append(formatFlags(), "problem", "size") {
			cmd.MarkFlagsMutuallyExclusive(name, other)
		}
	}
	f.registerChoice(cmd, want, fields...)
}

// registerChoice adds --memory and one flag for each of the named fields of the choice. A flag takes its
// name, help and values from its field. The values of --backend are the back-ends that can answer what is
// wanted.
func (f *flags) registerChoice(cmd *cobra.Command, want ask.Want, fields ...string) {
	v := reflect.ValueOf(&f.Choice).Elem()
	for _, field := range param.Fields(f.Choice) {
		if !slices.Contains(fields, field.Name) {
			continue
		}
		set := cmd.Flags()
		switch value := field.Of(v).Addr().Interface().(type) {
		case *bool:
			set.BoolVar(value, field.Name, false, "")
		case *int:
			set.IntVar(value, field.Name, 0, "")
		default: // names
			text := field.Of(v).Addr().Convert(reflect.TypeFor[*string]()).Interface().(*string)
			set.StringVar(text, field.Name, *text, "")
			complete(cmd, field.Name, func() []string { return namesFor(field, want) })
		}
		if was := field.Was(); was != nil {
			set.Lookup(field.Name).Value = renamed{set.Lookup(field.Name).Value, was}
		}
		flag, optional := set.Lookup(field.Name), field.Of(v).IsZero()
		flag.Value = described{flag.Value, func() string { return usageOf(field, want, optional) }}
	}
	addMemory(cmd)
}

// described is the value of a flag whose help is made only when it is shown. Listing the names that such
// flags accept would take most of a command's start-up time.
type described struct {
	pflag.Value
	usage func() string
}

// renamed is the value of a flag whose values had other names.
type renamed struct {
	pflag.Value
	was param.Was
}

func (r renamed) Set(text string) error { return r.Value.Set(r.was.Now(text)) }

// describe writes the help of a command's flags.
func describe(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		if o, is := flag.Value.(once); is {
			flag.Value = o.Value
		}
		if d, is := flag.Value.(described); is {
			flag.Usage, flag.Value = d.usage(), d.Value
		}
	})
	for _, below := range cmd.Commands() {
		describe(below)
	}
}

// namesFor lists the values that the flag of a field accepts; it returns nil if they are not names.
func namesFor(field param.Field, want ask.Want) []string {
	of, named := reflect.Zero(field.Type).Interface().(param.Enumerated)
	switch {
	case !named:
		return nil
	case field.Name == "backend":
		return ask.Names(ask.Able(want))
	case field.Name == "method": // the first is default, which need not be written
		return of.Values()[1:]
	}
	return of.Values()
}

// usageOf returns a flag's help: its purpose, its values and, if it is optional, its default.
func usageOf(field param.Field, want ask.Want, optional bool) string {
	usage, otherwise := strings.TrimSuffix(field.Doc(), "."), "what suits the problem"
	switch field.Name {
	case "method":
		usage, _, _ = strings.Cut(usage, ";")
		otherwise = "the back-end's best"
	case "workers":
		otherwise = "all"
	case "counter":
		otherwise = "none"
	}
	if !strings.HasPrefix(usage, "SAT") {
		usage = strings.ToLower(usage[:1]) + usage[1:]
	}
	if names := namesFor(field, want); names != nil {
		usage += ": " + strings.Join(names, ", ")
	}
	if more, patterned := reflect.Zero(field.Type).Interface().(param.Patterned); patterned {
		_, title := more.Pattern()
		usage += ", or " + title
	}
	if optional && field.Type.Kind() != reflect.Bool {
		usage += " (default: " + otherwise + ")"
	}
	return usage
}

// registerFile adds --diagram-file, for commands that query a diagram.
func (f *flags) registerFile(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.file, "diagram-file", "",
		"load the diagram from this file instead of building it: as compile -o writes it, or text in DDDMP, which is checked")
	for _, other := range []string{"construction", "order", "workers"} {
		cmd.MarkFlagsMutuallyExclusive("diagram-file", other)
	}
}

// registerNNF adds --nnf, for commands that ask a d-DNNF.
func (f *flags) registerNNF(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.nnf, "nnf", "",
		"take the problem's d-DNNF from this file (- for standard input), as c2d, d4 or compile -o writes it, and check it")
	for _, other := range []string{"construction", "order", "workers", "diagram-file"} {
		cmd.MarkFlagsMutuallyExclusive("nnf", other)
	}
}

// backendHelp lists back-ends, with their methods if methods is set.
func backendHelp(list []ask.Descriptor, methods bool) string {
	var text strings.Builder
	for _, b := range list {
		fmt.Fprintf(&text, "  %-10s %s\n", b.Name, b.Doc)
		if methods {
			fmt.Fprintf(&text, "  %-10s   (%s)\n", "", strings.Join(b.MethodNames(), ", "))
		}
	}
	return strings.TrimSuffix(text.String(), "\n")
}
