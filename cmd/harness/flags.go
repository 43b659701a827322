package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"queens/internal/param"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// oneOf is the value of a flag that takes one of a few names.
type oneOf struct {
	value *string
	names []string
}

// Set implements [pflag.Value].
func (o oneOf) Set(text string) error {
	if !slices.Contains(o.names, text) {
		return fmt.Errorf("expected one of %s%s", strings.Join(o.names, ", "), param.DidYouMean(text, o.names))
	}
	*o.value = text
	return nil
}

// String implements [pflag.Value].
func (o oneOf) String() string { return *o.value }

// Type implements [pflag.Value].
func (oneOf) Type() string { return "name" }

// size is the value of -n; 0 means that no size is given.
type size struct{ value *int }

// Set implements [pflag.Value].
func (s size) Set(text string) (err error) {
	if *s.value, err = strconv.Atoi(text); err == nil && *s.value < 1 {
		err = errors.New("expected a number from 1")
	}
	return err
}

// String implements [pflag.Value].
func (s size) String() string { return strconv.Itoa(*s.value) }

// Type implements [pflag.Value].
func (size) Type() string { return "int" }

// list is the value of a flag that takes a comma-separated list. If the flag is repeated, the lists are
// joined.
type list struct{ value *string }

// Set implements [pflag.Value].
func (l list) Set(text string) error {
	if strings.TrimSpace(text) != "" {
		*l.value = strings.TrimPrefix(*l.value+","+text, ",")
	}
	return nil
}

// String implements [pflag.Value].
func (l list) String() string { return *l.value }

// Type implements [pflag.Value].
func (list) Type() string { return "list" }

// once is the value of a flag that may be given only once: a second value would silently replace the
// first.
type once struct {
	pflag.Value
	flag *pflag.Flag
}

// Set implements [pflag.Value].
func (o once) Set(text string) error {
	if o.flag.Changed {
		return errors.New("expected one value, but the flag is given twice")
	}
	return o.Value.Set(text)
}

// refuseRepeats makes every flag of a command and its subcommands an error if repeated, except lists.
func refuseRepeats(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		if kind := flag.Value.Type(); kind != "list" && kind != "stringArray" {
			flag.Value = once{flag.Value, flag}
		}
	})
	for _, below := range cmd.Commands() {
		refuseRepeats(below)
	}
}

// nameFlag adds a flag that accepts one of a few names, which its usage lists. The default is the variable's
// current value.
func nameFlag[T ~string](cmd *cobra.Command, value *string, flag, usage string, names []T) {
	list := param.Texts(names)
	cmd.Flags().Var(oneOf{value, list}, flag, usage+": "+strings.Join(list, ", "))
	complete(cmd, flag, func() []string { return list })
}

// complete has shells complete a flag's value.
func complete(cmd *cobra.Command, flag string, names func() []string) {
	err := cmd.RegisterFlagCompletionFunc(flag,
		func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return names(), cobra.ShellCompDirectiveNoFileComp
		})
	if err != nil {
		panic(err) // no such flag
	}
}

// group returns a command that only has subcommands; without one, it shows its help.
func group(use, short string, below ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short, Args: cobra.NoArgs,
		RunE: showHelp,
	}
	cmd.AddCommand(below...)
	return cmd
}

func showHelp(cmd *cobra.Command, _ []string) error { return cmd.Help() }
