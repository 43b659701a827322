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

// registerChoice adds --memory and the flags for the named fields of the choice, whose names, help
// and values they have. The back-end must be able to answer what is wanted.
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
		flag, optional := set.Lookup(field.Name), field.Of(v).IsZero()
		flag.Value = described{flag.Value, func() string { return usageOf(field, want, optional) }}
	}
	addMemory(cmd)
}

// described is the value of a flag whose help is made when somebody asks for it: the names that such
// flags take cost the start of a command more than all else.
type described struct {
	pflag.Value
	usage func() string
}

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

// namesFor lists the values of a field of a choice that a flag takes.
func namesFor(field param.Field, want ask.Want) []string {
	of, named := reflect.Zero(field.Type).Interface().(param.Enumerated)
	switch {
	case !named:
		return nil
	case field.Name == "backend":
		return ask.Names(ask.Able(want))
	case field.Name == "method": // where default is a value, it need not be written
		return of.Values()[1:]
	}
	return of.Values()
}

// usageOf says what a flag is for, and what its values are.
func usageOf(field param.Field, want ask.Want, optional bool) string {
	usage, otherwise := strings.TrimSuffix(field.Doc(), "."), "what suits the problem"
	switch field.Name {
	case "method":
		usage, _, _ = strings.Cut(usage, ";")
		otherwise = "the back-end's best"
	case "workers":
		otherwise = "all"
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

// registerFile adds --diagram-file, for commands that ask a diagram.
func (f *flags) registerFile(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.file, "diagram-file", "",
		"load the diagram from this file, written by compile -o, instead of building it")
	for _, other := range []string{"construction", "order", "workers"} {
		cmd.MarkFlagsMutuallyExclusive("diagram-file", other)
	}
}

// backendHelp lists back-ends and, if they are asked what is possible, their methods.
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
