package main

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// newRoot assembles the command tree.
func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "harness",
		Short:         "Compare BDD and SAT on the N-queens problem",
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	// cobra looks at these groups itself, but after this, and without a code.
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if err := checkGroups(cmd); err != nil {
			return err
		}
		cmd.SetContext(withProgress(cmd.Context()))
		guarded(cmd)
		return nil
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(
		newCompile(),
		newCount(),
		newValid(),
		newSolve(),
		bounded(newEncode()),
		bounded(newExplain()),
		newExport(),
		newOrder(),
		newRun(),
		newReport(),
		newRerun(),
		newRunOne(),
		newMerge(),
		newCompare(),
		newPlay(),
		newServe(),
		newSubmit(),
	)
	root.SetHelpCommand(newHelp())
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	group(root)
	for _, cmd := range root.Commands() {
		if cmd.HasSubCommands() {
			group(cmd)
		}
		if cmd.Name() == "completion" {
			for _, shell := range cmd.Commands() {
				shell.Args = args(cobra.NoArgs)
			}
		}
	}
	withExamples(root)
	withCompletions(root)
	return root
}

// version tells which sources the binary was built from, as far as it knows.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "harness, built without module information"
	}
	revision, modified := "unknown", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			modified = ", modified"
		}
	}
	return fmt.Sprintf("harness %s (revision %s%s, %s)", info.Main.Version, revision, modified, info.GoVersion)
}

// printJSON writes one JSON object.
func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
