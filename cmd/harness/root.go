package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"queens/experiments/record"
	"queens/internal/param"
	"queens/internal/system"
	uiterm "queens/ui/term"
)

// command is a command that has not been built yet: building all of them takes longer than most commands run.
type command struct {
	name string
	make func() *cobra.Command
}

// groups are the groups in which help lists the commands, each with the most used command first.
func groups() []struct {
	title    string
	commands []command
} {
	return []struct {
		title    string
		commands []command
	}{
		{"Ask about a problem:", []command{
			{"valid", newValid}, {"explain", newExplain}, {"count", newCount}, {"solve", newSolve}, {"list", newList}, {"sample", newSample},
			{"play", newPlay}, {"serve", newServe},
		}},
		{"Experiments:", []command{
			{"run", newRun}, {"report", newReport}, {"compare", newCompare}, {"rerun", newRerun}, {"merge", newMerge},
			{"submit", newSubmit}, {"docs", newDocs}, {runOneName, newRunOne},
		}},
		{"Orders, diagrams, files:", []command{
			{"order", newOrder}, {"compile", newCompile}, {"export", newExport}, {"encode", newEncode},
			{"threshold", newThreshold}, {"check", newCheck},
		}},
	}
}

// newRoot assembles the command tree. It adds only the command that the line names, since every measured run
// starts the program; if the line names none, it adds all.
func newRoot(line ...string) *cobra.Command {
	cobra.EnableCommandSorting = false // cobra cannot list commands in any order but this or the alphabet's
	root := &cobra.Command{
		Use:               "harness",
		Short:             "Compare BDD and SAT on the N-queens problem",
		SilenceUsage:      true,
		SilenceErrors:     true,
		PersistentPreRunE: begin,
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages",
		fmt.Sprintf(".FlagUsagesWrapped %d", helpWidth(os.Stdout))))
	root.SetHelpCommand(newHelp())
	one := false
	for _, group := range groups() {
		for _, c := range group.commands {
			if len(line) > 0 && line[0] == c.name {
				one = true
				root.AddCommand(c.make())
			}
		}
	}
	if one {
		refuseRepeats(root)
		root.CompletionOptions.DisableDefaultCmd = true
	} else {
		addAll(root)
	}
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, words []string) {
		describe(cmd)
		if widthOf(os.Stdout) == 0 {
			help(cmd, words)
			return
		}
		out, text := cmd.OutOrStdout(), strings.Builder{}
		cmd.SetOut(&text)
		help(cmd, words)
		cmd.SetOut(out)
		fmt.Fprint(out, uiterm.Reflow(text.String(), helpWidth(os.Stdout)))
	})
	withExamples(root)
	return root
}

// helpWidth returns the width of help: that of the terminal, and what documents hold elsewhere.
func helpWidth(w io.Writer) int {
	const least, elsewhere = 40, 100
	if width := widthOf(w); width > 0 {
		return max(width, least)
	}
	return elsewhere
}

// addAll adds all commands, and those of cobra: help and shell completion.
func addAll(root *cobra.Command) {
	root.Version = version()
	root.Flags().Bool("version", false, "print the version") // no -v, which cobra would add
	for _, group := range groups() {
		root.AddGroup(&cobra.Group{ID: group.title, Title: group.title})
		for _, c := range group.commands {
			cmd := c.make()
			cmd.GroupID = group.title
			root.AddCommand(cmd)
		}
	}
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	if completion, _, err := root.Find([]string{"completion"}); err == nil {
		completion.RunE = showHelp // cobra's own shows help even for an unknown shell
	}
	describe(root)
}

// begin runs first in every command. Errors before it are about the command line.
func begin(cmd *cobra.Command, _ []string) error {
	if err := cmp.Or(cmd.ValidateFlagGroups(), cmd.ValidateRequiredFlags()); err != nil { // cobra checks later
		return err
	}
	ctx := withWork(cmd.Context(), cmd.ErrOrStderr())
	if flag := cmd.Flags().Lookup("memory"); flag != nil {
		ctx = guard(ctx, flag)
	}
	cmd.SetContext(ctx)
	if cmd.Name() != "serve" { // serve itself limits how long it waits for its clients
		flag := cmd.Flags().Lookup // those that only print an answer have --memory and no -o, or do not use it
		saves := flag("memory") == nil || flag("output") != nil && flag("output").Changed
		context.AfterFunc(cmd.Context(), func() { endLate(cmd.Context(), saves) })
	}
	return nil
}

// newHelp returns a command like cobra's help, except that an unknown command is an error.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Show the help of a command",
		RunE: func(cmd *cobra.Command, words []string) error {
			topic, _, err := cmd.Root().Find(words)
			if err != nil {
				return exit(badInput, err)
			}
			topic.InitDefaultHelpFlag() // shows the flag in the help
			topic.InitDefaultVersionFlag()
			return topic.Help()
		},
	}
}

// release is set by the linker in a release (-ldflags "-X main.release=v1.2.3"), which requires a package
// variable.
var release string

// version identifies the sources of the binary: by its release, by the version that the module system
// reports, or else by a hash of the binary. It adds the commit if the build noted it: git would take longer
// than the rest of --version.
func version() string {
	number := release
	if info, ok := debug.ReadBuildInfo(); ok && number == "" {
		number = info.Main.Version
	}
	if number == "" || number == "(devel)" {
		number = "build " + ownHash()
	}
	about := runtime.Version()
	if commit, modified := record.Commit(); commit != "" && release == "" {
		about += "; commit " + commit[:min(len(commit), 12)] + map[bool]string{true: ", modified"}[modified]
	}
	return fmt.Sprintf("harness %s (%s)", number, about)
}

// ownHash returns the hash of the beginning of this program's file. That part holds the build ID, itself a
// hash of everything that the program was built from.
func ownHash() string {
	path, err := system.Executable()
	if err != nil {
		return "unknown"
	}
	file, err := os.Open(path)
	if err != nil {
		return "unknown"
	}
	defer file.Close()
	beginning, _ := io.ReadAll(io.LimitReader(file, 32<<10)) // go version looks for the build ID there
	return param.Digest(beginning)
}
