package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// shellCompletions are the commands that cobra would put below a completion command of its own: each
// writes the script with which a shell completes this program's command lines.
func shellCompletions() (commands []*cobra.Command) {
	for _, shell := range []struct {
		name  string
		write func(root *cobra.Command, w io.Writer) error
	}{
		{"bash", func(root *cobra.Command, w io.Writer) error { return root.GenBashCompletionV2(w, true) }},
		{"fish", func(root *cobra.Command, w io.Writer) error { return root.GenFishCompletion(w, true) }},
		{"powershell", (*cobra.Command).GenPowerShellCompletionWithDesc},
		{"zsh", (*cobra.Command).GenZshCompletion},
	} {
		commands = append(commands, &cobra.Command{
			Use: shell.name, Short: fmt.Sprintf("Write the script that completes command lines in %s", shell.name),
			Args: cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error { return shell.write(cmd.Root(), cmd.OutOrStdout()) },
		})
	}
	return commands
}
