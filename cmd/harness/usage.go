package main

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"queens/experiments"
)

// group makes cmd a group of subcommands: alone it shows its help, and an unknown subcommand
// is bad usage.
func group(cmd *cobra.Command) {
	cmd.Args = func(cmd *cobra.Command, words []string) error {
		if len(words) == 0 {
			return nil
		}
		return noCommand(cmd, words[0])
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
}

// noCommand returns an error saying that cmd has no such subcommand, with the nearest name.
func noCommand(cmd *cobra.Command, word string) error {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			names = append(names, c.Name())
		}
	}
	if !cmd.HasParent() {
		names = append(names, "--version")
	}
	_, path, _ := strings.Cut(cmd.CommandPath()+" "+word, " ")
	what := fmt.Sprintf("there is no command %q%s", path, experiments.DidYouMean(word, names))
	return invalid("%s", see(cmd, what))
}

// misspelt returns an error if the command line begins with an unknown command. It must run
// before the flags are parsed, since they belong to the command that was meant.
func misspelt(root *cobra.Command, args []string) error {
	cmd, rest, err := root.Find(args)
	if err != nil || !cmd.HasSubCommands() || len(rest) == 0 || strings.HasPrefix(rest[0], "-") {
		return nil
	}
	if cmd == root && (rest[0] == cobra.ShellCompRequestCmd || rest[0] == cobra.ShellCompNoDescRequestCmd) {
		return nil // a shell asks for completions
	}
	return noCommand(cmd, rest[0])
}

// newHelp returns cobra's help command, except that an unknown topic is an error.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Show the help of a command",
		RunE: func(cmd *cobra.Command, words []string) error {
			topic, rest, err := cmd.Root().Find(words)
			if err != nil {
				return err
			}
			if len(rest) > 0 {
				return noCommand(topic, rest[0])
			}
			topic.InitDefaultHelpFlag() // so it is shown
			topic.InitDefaultVersionFlag()
			return topic.Help()
		},
	}
}

// args wraps a check of a command's arguments, so its errors are bad usage.
func args(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, words []string) error {
		err := check(cmd, words)
		if err == nil {
			return nil
		}
		expected := strings.TrimSuffix(cmd.UseLine(), " [flags]")
		if len(words) > 0 && cmd.Flags().Lookup("size") != nil {
			if _, notSize := strconv.Atoi(words[0]); notSize == nil {
				return invalid("%s: unexpected %q: give the size as -n %s; expected %s",
					cmd.Name(), words[0], words[0], expected)
			}
		}
		return invalid("%s: %s; expected %s", cmd.Name(), given(words), expected)
	}
}

// given describes the arguments that a command was given.
func given(words []string) string {
	if len(words) == 0 {
		return "arguments are missing"
	}
	return fmt.Sprintf("wrong arguments %q", strings.Join(words, " "))
}

// flagError replaces pflag's error about a flag by our own wording.
func flagError(cmd *cobra.Command, err error) error {
	var (
		unknown *pflag.NotExistError
		missing *pflag.ValueRequiredError
		wrong   *pflag.InvalidValueError
	)
	what := err.Error()
	switch {
	case errors.As(err, &unknown):
		name := unknown.GetSpecifiedName()
		what = fmt.Sprintf("there is no flag -%s", name)
		if unknown.GetSpecifiedShortnames() == "" {
			what = fmt.Sprintf("there is no flag --%s%s", name, experiments.DidYouMean("--"+name, flagNames(cmd)))
		}
	case errors.As(err, &missing):
		what = fmt.Sprintf("flag %s: %s is missing", flagName(missing.GetFlag()), valueOf(missing.GetFlag()))
	case errors.As(err, &wrong):
		what = fmt.Sprintf("flag %s %q: expected %s", flagName(wrong.GetFlag()), wrong.GetValue(),
			valueOf(wrong.GetFlag()))
	}
	if cmd.HasParent() {
		what = cmd.Name() + ": " + what
	}
	return invalid("%s", see(cmd, what))
}

// see appends a pointer to the help, as a new sentence if what ends in a question.
func see(cmd *cobra.Command, what string) string {
	if strings.HasSuffix(what, "?") {
		return fmt.Sprintf("%s See %s --help", what, cmd.CommandPath())
	}
	return fmt.Sprintf("%s; see %s --help", what, cmd.CommandPath())
}

// flagName returns a flag as it is usually typed.
func flagName(f *pflag.Flag) string {
	if f.Shorthand != "" {
		return "-" + f.Shorthand
	}
	return "--" + f.Name
}

func flagNames(cmd *cobra.Command) []string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	return names
}

// valueOf describes the values that a flag accepts.
func valueOf(f *pflag.Flag) string {
	switch kind := f.Value.Type(); {
	case kind == "duration":
		return "a duration such as 30s, 5m or 1h"
	case kind == "bool":
		return "true or false"
	case f.Name == "memory":
		return "an amount such as 512MiB or 4GiB"
	case kind == "number":
		return "a whole number, 1 or more"
	case strings.HasPrefix(kind, "uint"):
		return "a whole number, 0 or more"
	case strings.HasPrefix(kind, "int"):
		return "a whole number"
	case strings.HasPrefix(kind, "float"):
		return "a number"
	}
	return "a value"
}

// checkGroups returns an error if mutually exclusive flags were given.
func checkGroups(cmd *cobra.Command) error {
	err := cmd.ValidateFlagGroups()
	if err == nil {
		return nil
	}
	var both []string
	if m := regexp.MustCompile(`\[([^\]]*)\] were all set`).FindStringSubmatch(err.Error()); m != nil {
		for _, name := range strings.Fields(m[1]) {
			both = append(both, flagName(cmd.Flags().Lookup(name)))
		}
	}
	if len(both) < 2 {
		return exit(badInput, err)
	}
	return invalid("%s: flags %s cannot be combined", cmd.Name(), strings.Join(both, " and "))
}
