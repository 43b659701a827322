package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// nearby is the most letters by which a misspelt command may differ from the one
// that is suggested.
const nearby = 2

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
	// cobra suggests in alphabetical order, so the distance grows until it does.
	hint := ""
	for d := 0; d <= nearby && hint == ""; d++ {
		cmd.SuggestionsMinimumDistance = d
		if near := cmd.SuggestionsFor(word); len(near) > 0 {
			hint = fmt.Sprintf("; did you mean %q?", near[0])
		}
	}
	_, path, _ := strings.Cut(cmd.CommandPath()+" "+word, " ")
	return exit(badInput, fmt.Errorf("command %q: there is none of that name%s; see %s --help", path, hint, cmd.CommandPath()))
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
