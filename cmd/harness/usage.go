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

// group makes cmd one that only holds others: alone it shows its help, and a word
// that names none of them is bad usage.
func group(cmd *cobra.Command) {
	cmd.Args = func(cmd *cobra.Command, words []string) error {
		if len(words) == 0 {
			return nil
		}
		return noCommand(cmd, words[0])
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
}

// noCommand says that cmd has no command of that name, and which is nearest.
func noCommand(cmd *cobra.Command, word string) error {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			names = append(names, c.Name())
		}
	}
	_, path, _ := strings.Cut(cmd.CommandPath()+" "+word, " ")
	return exit(badInput, errors.New(see(cmd, fmt.Sprintf("there is no command %q%s", path, experiments.DidYouMean(word, names)))))
}

// misspelt reports a command line that begins with a word that is no command's, before
// its flags are looked at: they are of the command that was meant.
func misspelt(root *cobra.Command, args []string) error {
	cmd, rest, err := root.Find(args)
	if err != nil || !cmd.HasSubCommands() || len(rest) == 0 || strings.HasPrefix(rest[0], "-") {
		return nil
	}
	if cmd == root && (rest[0] == cobra.ShellCompRequestCmd || rest[0] == cobra.ShellCompNoDescRequestCmd) {
		return nil // asked by a shell
	}
	return noCommand(cmd, rest[0])
}

// newHelp is cobra's help, but for a topic that there is not.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help about any command",
		RunE: func(cmd *cobra.Command, words []string) error {
			topic, rest, err := cmd.Root().Find(words)
			if err != nil {
				return err
			}
			if len(rest) > 0 {
				return noCommand(topic, rest[0])
			}
			topic.InitDefaultHelpFlag() // to be shown
			topic.InitDefaultVersionFlag()
			return topic.Help()
		},
	}
}

// args turns a check of the words that follow a command into bad usage.
func args(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, words []string) error {
		err := check(cmd, words)
		if err == nil {
			return nil
		}
		expected := strings.TrimSuffix(cmd.UseLine(), " [flags]")
		if len(words) > 0 && cmd.Flags().Lookup("size") != nil {
			if _, notSize := strconv.Atoi(words[0]); notSize == nil {
				return exit(badInput, fmt.Errorf("%s: %q stands alone: the size is given as -n %s; expected %s", cmd.Name(), words[0], words[0], expected))
			}
		}
		return exit(badInput, fmt.Errorf("%s: %s; expected %s", cmd.Name(), given(words), expected))
	}
}

// given says which words a command was given.
func given(words []string) string {
	if len(words) == 0 {
		return "something is missing"
	}
	return fmt.Sprintf("it was given %q", strings.Join(words, " "))
}

// flagError says in the program's own words what is wrong with a flag.
func flagError(cmd *cobra.Command, err error) error {
	var (
		unknown *pflag.NotExistError
		missing *pflag.ValueRequiredError
		invalid *pflag.InvalidValueError
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
	case errors.As(err, &invalid):
		what = fmt.Sprintf("flag %s %q: expected %s", flagName(invalid.GetFlag()), invalid.GetValue(), valueOf(invalid.GetFlag()))
	}
	if cmd.HasParent() {
		what = cmd.Name() + ": " + what
	}
	return exit(badInput, errors.New(see(cmd, what)))
}

// see ends what was wrong with where to read on: a question stands as a sentence.
func see(cmd *cobra.Command, what string) string {
	if strings.HasSuffix(what, "?") {
		return fmt.Sprintf("%s See %s --help", what, cmd.CommandPath())
	}
	return fmt.Sprintf("%s; see %s --help", what, cmd.CommandPath())
}

// flagName writes a flag as people give it.
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

// valueOf says what a flag takes.
func valueOf(f *pflag.Flag) string {
	switch kind := f.Value.Type(); {
	case kind == "duration":
		return "a length of time such as 30s, 5m or 1h"
	case kind == "bool":
		return "true or false"
	case f.Name == "memory":
		return "an amount such as 512MiB or 4GiB"
	case strings.HasPrefix(kind, "uint"):
		return "a whole number from 0 on"
	case strings.HasPrefix(kind, "int"):
		return "a whole number"
	case strings.HasPrefix(kind, "float"):
		return "a number"
	}
	return "a value"
}

// exclusive is cobra's message about flags that were given and exclude each other.
var exclusive = regexp.MustCompile(`\[([^\]]*)\] were all set`)

// checkGroups reports flags that exclude each other.
func checkGroups(cmd *cobra.Command) error {
	err := cmd.ValidateFlagGroups()
	if err == nil {
		return nil
	}
	var both []string
	if m := exclusive.FindStringSubmatch(err.Error()); m != nil {
		for _, name := range strings.Fields(m[1]) {
			both = append(both, flagName(cmd.Flags().Lookup(name)))
		}
	}
	if len(both) < 2 {
		return exit(badInput, err)
	}
	return exit(badInput, fmt.Errorf("%s: flags %s exclude each other", cmd.Name(), strings.Join(both, " and ")))
}

// unknownName is the error about an unknown name of a flag.
func unknownName(flag, name string, names []string) error {
	return exit(badInput, fmt.Errorf("flag --%s %q: expected one of %s%s",
		flag, name, strings.Join(names, ", "), experiments.DidYouMean(name, names)))
}

// named gives the error about an unknown name of a flag its exit code, and the name
// that was probably meant.
func named(flag, name string, names []string, err error) error {
	return exit(badInput, fmt.Errorf("flag --%s: %w%s", flag, err, experiments.DidYouMean(name, names)))
}
