package main

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"queens/ask"
	"queens/param"
)

// registerChoice adds --memory and the flags for the named fields of the choice, whose names, help
// and values they have. The back-end must have the wanted abilities.
func (f *flags) registerChoice(cmd *cobra.Command, want ask.Want, fields ...string) {
	v := reflect.ValueOf(&f.Choice).Elem()
	for _, field := range param.Fields(f.Choice) {
		if !slices.Contains(fields, field.Name) {
			continue
		}
		usage := strings.TrimSuffix(field.Doc(), ".")
		if !strings.HasPrefix(usage, "SAT") {
			usage = strings.ToLower(usage[:1]) + usage[1:]
		}
		switch value := field.Of(v).Addr().Interface().(type) {
		case *bool:
			cmd.Flags().BoolVar(value, field.Name, false, usage)
		case *int:
			cmd.Flags().IntVar(value, field.Name, 0, usage+" (default: all)")
		case param.Enumerated:
			names, otherwise := value.Values(), "what suits the problem"
			switch field.Name {
			case "backend":
				names = ask.Names(ask.Able(want))
			case "method": // where default is a value, it need not be written
				usage, _, _ = strings.Cut(usage, ";")
				names, otherwise = names[1:], "the back-end's best"
			}
			usage += ": " + strings.Join(names, ", ")
			if p, more := value.(param.Patterned); more {
				_, title := p.Pattern()
				usage += ", or " + title
			}
			if field.Of(v).IsZero() {
				usage += " (default: " + otherwise + ")"
			}
			text := field.Of(v).Addr().Convert(reflect.TypeFor[*string]()).Interface().(*string)
			cmd.Flags().StringVar(text, field.Name, *text, usage)
			complete(cmd, field.Name, names)
		}
	}
	addMemory(cmd)
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
func backendHelp(list []ask.Entry, methods bool) string {
	var text strings.Builder
	for _, b := range list {
		fmt.Fprintf(&text, "  %-10s %s\n", b.Name, b.Doc)
		if methods {
			fmt.Fprintf(&text, "  %-10s   (%s)\n", "", strings.Join(b.MethodNames(), ", "))
		}
	}
	return strings.TrimSuffix(text.String(), "\n")
}
